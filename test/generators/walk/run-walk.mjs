import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { install, installNode } from '../kinds/install.mjs';
import { item, server, toDocument } from './app.mjs';
import { walkThroughPrism } from './walk-through-prism.mjs';

const run = promisify(execFile);
const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, '..', '..', '..');
const cache = join(root, 'node_modules', '.cache', 'capix-generators');
const packages = {
  'openapi-typescript': '7.13.0',
  'openapi-fetch': '0.17.0',
  '@hey-api/openapi-ts': '0.99.0',
  orval: '8.38.0',
  '@stoplight/prism-cli': '5.16.0',
};
const nodeVersion = '24.21.0';
const compilers = ['typescript-5.9', 'typescript'];

/** The command that writes each client, as its page says it. */
const generators = {
  'openapi-typescript': () => ['openapi-typescript', 'document.json', '-o', 'generated.d.ts'],
  'hey-api': () => [
    'openapi-ts',
    '-i',
    'document.json',
    '-o',
    'generated',
    '-c',
    '@hey-api/client-fetch',
  ],
  orval: () => ['orval', '--config', 'orval.config.cjs'],
};

/** A project with the document, the client that is written of it, and what calls it. */
async function generate(name, { document, url, node }) {
  const project = join(cache, 'walk', 'projects', name);
  await rm(project, { recursive: true, force: true });
  await mkdir(project, { recursive: true });
  await writeFile(join(project, 'package.json'), '{ "type": "module" }');
  await writeFile(join(project, 'document.json'), JSON.stringify(document));
  const orval = {
    items: {
      input: './document.json',
      output: { target: './generated.ts', client: 'fetch', baseUrl: url },
    },
  };
  await writeFile(join(project, 'orval.config.cjs'), `module.exports = ${JSON.stringify(orval)};`);
  await cp(join(here, '..', 'fixtures', `${name}.ts`), join(project, 'check.ts'));
  await symlink(join(root, 'node_modules', '@types'), join(project, 'types'), 'junction');
  const [command, ...words] = generators[name]();
  const bin = await realpath(join(cache, 'walk', 'node_modules', '.bin', command));
  const env = { ...process.env, CI: 'true', NO_COLOR: '1' };
  await run(node, [bin, ...words], { cwd: project, env, timeout: 120_000 });
  return project;
}

async function compile(project, compiler) {
  const options = {
    strict: true,
    noUncheckedIndexedAccess: true,
    module: 'esnext',
    moduleResolution: 'bundler',
    target: 'es2023',
    lib: ['es2023', 'dom', 'dom.iterable'],
    typeRoots: ['./types'],
    types: ['node'],
    skipLibCheck: true,
    noEmit: true,
  };
  await writeFile(
    join(project, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: options, files: ['check.ts'] }),
  );
  const tsc = join(root, 'node_modules', compiler, 'bin', 'tsc');
  try {
    await run(process.execPath, [tsc, '-p', project]);
  } catch (error) {
    throw new Error(`${compiler}: ${error.stdout}`);
  }
}

async function call(project, url) {
  const outfile = join(project, 'check.mjs');
  await build({
    entryPoints: [join(project, 'check.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'error',
  });
  const { check } = await import(pathToFileURL(outfile).href);
  await check(url, item);
}

/**
 * Has each generator write a client of one server's document, which two compilers check and which calls the server, and asks for the walk of `test/helpers/walk`
 * through prism, which holds both ends to the document. Gives what each has done, and sets the exit code where one failed.
 */
export async function runWalk(isWanted) {
  const node = await installNode(join(cache, 'node'), nodeVersion);
  // TypeScript 5.9 is the peer of hey-api and openapi-typescript; projects are compiled by the compilers of this package.
  await install(join(cache, 'walk'), { ...packages, typescript: '5.9.3' });
  const outcomes = [];
  const attempt = async (label, task) => {
    const outcome = await task().catch(toFailure);
    outcomes.push([label, outcome.split('\n')[0]]);
    process.stdout.write(`${label.padEnd(52)} ${outcome}\n`);
  };
  const [{ url }] = await server.start();
  try {
    for (const generator of Object.keys(generators))
      if (isWanted(`${generator} walk`)) await tryGenerator(generator, { url, node, attempt });
    const prism = join(cache, 'walk/node_modules/@stoplight/prism-cli/dist/index.js');
    if (isWanted('prism walk'))
      await attempt('prism', () => walkThroughPrism([node, prism], cache));
  } finally {
    await server.stop({ graceMs: 0 });
  }
  return { outcomes, packages };
}

function toFailure(error) {
  process.exitCode = 1;
  return `failed\n  ${String(error.message ?? error).replaceAll('\n', '\n  ')}`;
}

async function tryGenerator(generator, { url, node, attempt }) {
  const project = await generate(generator, { document: toDocument(url), url, node });
  for (const compiler of compilers) {
    const manifest = join(root, 'node_modules', compiler, 'package.json');
    const { version } = JSON.parse(await readFile(manifest, 'utf8'));
    await attempt(`${generator}, TypeScript ${version}`, async () => {
      await compile(project, compiler);
      return 'compiles';
    });
  }
  await attempt(`${generator}, calls`, async () => {
    await call(project, url);
    return 'answered as the document says';
  });
}
