/**
 * `npm run generators`: the clients that openapi-typescript, hey-api and orval write of a server's document are compiled by two compilers and called, and the answers of the walk in
 * `test/helpers/walk` are asked for through prism, which holds both ends to the document. A run of all of them writes the table in `docs/compatibility.md`. All of them are npm packages, installed into `node_modules/.cache/capix-generators`. Words choose
 * among them: `npm run generators -- orval prism`.
 */
import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { item, server, toDocument } from './app.mjs';
import { walkThroughPrism } from './walk-through-prism.mjs';

const run = promisify(execFile);
const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, '..', '..');
const cache = join(root, 'node_modules', '.cache', 'capix-generators');
const packages = {
  'openapi-typescript': '7.13.0',
  'openapi-fetch': '0.17.0',
  '@hey-api/openapi-ts': '0.99.0',
  orval: '7.13.2',
  '@stoplight/prism-cli': '5.14.2',
};
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

async function install() {
  await mkdir(cache, { recursive: true });
  // The peer of hey-api and openapi-typescript; projects are compiled by the compilers of this package.
  const dependencies = { ...packages, typescript: '5.9.3' };
  await writeFile(join(cache, 'package.json'), JSON.stringify({ private: true, dependencies }));
  const words = ['install', '--no-audit', '--no-fund', '--prefer-offline', '--ignore-scripts'];
  await run('npm', words, { cwd: cache, shell: process.platform === 'win32' });
}

/** A project with the document, the client that is written of it, and what calls it. */
async function generate(name, document, url) {
  const project = join(cache, 'projects', name);
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
  await cp(join(here, 'fixtures', `${name}.ts`), join(project, 'check.ts'));
  await symlink(join(root, 'node_modules', '@types'), join(project, 'types'), 'junction');
  const [command, ...words] = generators[name]();
  await run(join(cache, 'node_modules', '.bin', command), words, {
    cwd: project,
    shell: process.platform === 'win32',
  });
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

/** What each reader has done, for the table. */
const outcomes = [];

async function attempt(label, task) {
  try {
    const outcome = await task();
    outcomes.push([label, outcome]);
    process.stdout.write(`${label.padEnd(34)} ${outcome}\n`);
  } catch (error) {
    outcomes.push([label, 'failed']);
    process.exitCode = 1;
    process.stdout.write(
      `${label.padEnd(34)} failed\n  ${String(error.message ?? error).replaceAll('\n', '\n  ')}\n`,
    );
  }
}

async function tryGenerator(generator, url) {
  const project = await generate(generator, toDocument(url), url);
  for (const compiler of compilers) {
    const { version } = JSON.parse(
      await readFile(join(root, 'node_modules', compiler, 'package.json'), 'utf8'),
    );
    await attempt(
      `${generator}, TypeScript ${version}`,
      async () => (await compile(project, compiler), 'compiles'),
    );
  }
  await attempt(
    `${generator}, calls`,
    async () => (await call(project, url), 'answered as the document says'),
  );
}

/** Writes what was seen, with the versions and the day, between two marks of the page. */
async function writeTable() {
  const page = join(root, 'docs', 'compatibility.md');
  const text = await readFile(page, 'utf8');
  const [start, end] = ['<!-- generators -->\n', '<!-- end of generators -->'];
  const before = text.slice(0, text.indexOf(start) + start.length);
  const after = text.slice(text.indexOf(end));
  const versions = Object.entries(packages).map(([name, version]) => `${name} ${version}`);
  const day = new Date().toISOString().slice(0, 10);
  const rows = outcomes.map(([label, outcome]) => `| ${label} | ${outcome} |`);
  const facts = `Run on ${day} with Node ${process.versions.node}: ${versions.join(', ')}.`;
  const table = ['| Reader | Outcome |', '|---|---|', ...rows].join('\n');
  await writeFile(page, `${before}\n${facts}\n\n${table}\n\n${after}`);
}

await install();
const words = process.argv.slice(2);
const isWanted = (what) => words.length === 0 || words.some((word) => what.includes(word));
const [{ url }] = await server.start();
try {
  for (const generator of Object.keys(generators))
    if (isWanted(generator)) await tryGenerator(generator, url);
  if (isWanted('prism'))
    await attempt('prism', () =>
      walkThroughPrism(join(cache, 'node_modules', '.bin', 'prism'), cache),
    );
  if (words.length === 0) await writeTable();
} finally {
  await server.stop({ graceMs: 0 });
}
