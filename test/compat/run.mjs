/**
 * `npm run compat`: a server of every feature on each runtime, and bundled by each bundler, asked by 20 probes. Runtimes and bundlers are npm packages, installed into
 * `node_modules/.cache/capix-compat`. Words choose among them: `npm run compat -- bun workerd`.
 */
import { execFile, spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { probe } from './probes.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, '..', '..');
const cache = join(root, 'node_modules', '.cache', 'capix-compat');

const packages = {
  'node-20': 'npm:node@20',
  'node-22': 'npm:node@22',
  'node-24': 'npm:node@24',
  'node-26': 'npm:node@26',
  bun: '1',
  deno: '2',
  miniflare: '4',
  vite: '7',
  webpack: '5',
  '@vercel/ncc': '0.38',
  next: '16',
  react: '19',
  'react-dom': '19',
};
const nextFile = join(cache, 'node_modules', 'next', 'dist', 'bin', 'next');
/** How each runtime is started, and which host of the server it gets. */
const runtimes = {
  ...Object.fromEntries(
    ['20', '22', '24', '26'].map((version) => [
      `node ${version}`,
      { command: [join(cache, 'node_modules', `node-${version}`, 'bin', 'node')], host: 'listen' },
    ]),
  ),
  bun: { command: [join(cache, 'node_modules', '.bin', 'bun')], host: 'bun' },
  'bun, node:http': { command: [join(cache, 'node_modules', '.bin', 'bun')], host: 'listen' },
  deno: { command: [join(cache, 'node_modules', '.bin', 'deno'), 'run', '-A'], host: 'deno' },
  'deno, node:http': {
    command: [join(cache, 'node_modules', '.bin', 'deno'), 'run', '-A'],
    host: 'listen',
  },
  workerd: { host: 'worker' },
  ...Object.fromEntries(
    ['vite', 'webpack', 'ncc'].map((bundler) => [
      bundler,
      { command: [process.execPath], host: 'listen', bundler },
    ]),
  ),
  next: {
    command: [process.execPath, nextFile, 'start', '--port', '0', '--hostname', '127.0.0.1'],
    host: 'next',
    bundler: 'next',
  },
};
const hosts = {
  listen: 'const [{ url }] = await server.start(); console.log(`at ${url}`);',
  bun: `
    const { port } = Bun.serve({
      port: 0,
      fetch: (request, bun) => answer(request, { remoteAddress: bun.requestIP(request)?.address }),
    });
    console.log('at http://localhost:' + port);
  `,
  deno: `
    const { addr } = Deno.serve({ port: 0, onListen: () => {} }, (request, { remoteAddr }) =>
      answer(request, { remoteAddress: remoteAddr.hostname }));
    console.log('at http://localhost:' + addr.port);
  `,
  worker: `
    export default {
      fetch: (request) => answer(request, { remoteAddress: request.headers.get('cf-connecting-ip') ?? undefined }),
    };
  `,
};

const folder = await mkdtemp(join(tmpdir(), 'capix-compat-'));

async function install() {
  await mkdir(cache, { recursive: true });
  await writeFile(
    join(cache, 'package.json'),
    JSON.stringify({ private: true, dependencies: packages }),
  );
  const words = ['install', '--no-audit', '--no-fund', '--prefer-offline'];
  await promisify(execFile)('npm', words, { cwd: cache, shell: process.platform === 'win32' });
}

async function tryRuntime(name, { command, host, bundler }) {
  const running =
    host === 'worker'
      ? await startWorker()
      : await startProcess(command, await (bundler ? bundleBy[bundler]() : bundle(host)));
  try {
    const { count, failures } = await probe(running.url);
    process.stdout.write(`${name.padEnd(16)} ${count - failures.length} of ${count}\n`);
    for (const failure of failures) process.stdout.write(`  ${failure}\n`);
    if (failures.length > 0) process.exitCode = 1;
  } finally {
    await running.stop();
  }
}

/** The server in one file, as it is deployed, with the copy of capix in `dist/`. */
async function bundle(host) {
  const outfile = join(folder, `${host}.mjs`);
  await build({
    stdin: {
      contents: `import { answer, server } from './app.mjs';\n${hosts[host]}`,
      resolveDir: here,
    },
    alias: { capix: join(root, 'dist', 'server-runtime', 'index.js') },
    outfile,
    bundle: true,
    minify: host === 'worker',
    platform: 'node',
    format: 'esm',
    logLevel: 'error',
  });
  return outfile;
}

/** The other bundlers: each gets a project with packages, and gives one file, or a folder, that runs without them. */
const bundleBy = {
  vite: async () => {
    const project = await writeProject();
    const { build: buildByVite } = await fromCache('vite');
    await buildByVite({
      root: project,
      logLevel: 'error',
      ssr: { noExternal: true },
      build: { ssr: 'server.js', outDir: join(folder, 'vite'), emptyOutDir: false },
    });
    return join(folder, 'vite', 'server.js');
  },
  webpack: async () => {
    const project = await writeProject();
    const { default: webpack } = await fromCache('webpack');
    const stats = await promisify(webpack)({
      mode: 'production',
      context: project,
      entry: './server.js',
      target: 'node20',
      output: { path: join(folder, 'webpack'), filename: 'server.cjs' },
    });
    if (stats.hasErrors()) throw new Error(stats.toString('errors-only'));
    return join(folder, 'webpack', 'server.cjs');
  },
  ncc: async () => {
    const project = await writeProject();
    const { default: ncc } = await fromCache('@vercel/ncc');
    const { code, assets } = await ncc(join(project, 'server.js'), { quiet: true, cache: false });
    const outFolder = join(folder, 'ncc');
    await mkdir(outFolder);
    for (const [name, { source }] of Object.entries(assets))
      await writeFile(join(outFolder, name), source);
    await writeFile(join(outFolder, 'package.json'), '{ "type": "module" }');
    await writeFile(join(outFolder, 'server.js'), code);
    return join(outFolder, 'server.js');
  },
  // Next.js builds route handlers by Turbopack, and serves them itself.
  next: async () => {
    const project = await writeProject(['next', 'react', 'react-dom']);
    await mkdir(join(project, 'app', '[[...path]]'), { recursive: true });
    const methods = ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT'].map(
      (method) => `answerForwarded as ${method}`,
    );
    const route = `import { answerForwarded } from '../../app.mjs';\nexport { ${methods.join(', ')} };\n`;
    await writeFile(join(project, 'app', '[[...path]]', 'route.js'), route);
    // The packages are links to places outside the project.
    await writeFile(
      join(project, 'next.config.mjs'),
      "export default { turbopack: { root: '/' } };\n",
    );
    const env = { ...process.env, NEXT_TELEMETRY_DISABLED: '1' };
    await promisify(execFile)(process.execPath, [nextFile, 'build'], { cwd: project, env });
    return project;
  },
};

async function fromCache(name) {
  return import(pathToFileURL(createRequire(join(cache, 'package.json')).resolve(name)).href);
}

/** `packages`: those of the cache that it has besides. */
async function writeProject(packages = []) {
  const project = await mkdtemp(join(folder, 'project-'));
  await mkdir(join(project, 'node_modules'));
  for (const [name, target] of [
    ['capix', root],
    ['zod', join(root, 'node_modules', 'zod')],
    ...packages.map((name) => [name, join(cache, 'node_modules', name)]),
  ])
    await symlink(target, join(project, 'node_modules', name), 'junction');
  await writeFile(join(project, 'package.json'), '{ "type": "module" }');
  await writeFile(join(project, 'app.mjs'), await readFile(join(here, 'app.mjs')));
  const start =
    "import { server } from './app.mjs';\nserver.start().then(([{ url }]) => console.log('at ' + url));\n";
  await writeFile(join(project, 'server.js'), start);
  return project;
}

function startProcess([file, ...words], script) {
  const child = spawn(file, [...words, script], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise((resolve) => child.once('close', resolve));
  return new Promise((resolve, reject) => {
    let text = '';
    child.once('error', reject);
    child.once('close', (code) => reject(new Error(`${file} ended with ${code}`)));
    child.stdout.on('data', (chunk) => {
      text += chunk;
      const [, url] = /(?:at|Local:) +(\S+)\n/.exec(text) ?? [];
      if (url !== undefined) resolve({ url, stop: () => (child.kill('SIGKILL'), ended) });
    });
  });
}

async function startWorker() {
  const scriptPath = await bundle('worker');
  const path = createRequire(join(cache, 'package.json')).resolve('miniflare');
  const { Miniflare } = await import(pathToFileURL(path).href);
  const worker = new Miniflare({
    modules: true,
    scriptPath,
    modulesRoot: folder,
    compatibilityDate: '2025-09-15',
    compatibilityFlags: ['nodejs_compat'],
  });
  const url = await worker.ready;
  process.stdout.write(
    `${'worker, minified'.padEnd(16)} ${Math.round((await stat(scriptPath)).size / 1000)} KB\n`,
  );
  return { url: url.origin, stop: () => worker.dispose() };
}

try {
  await install();
  const wanted = process.argv.slice(2);
  for (const [name, runtime] of Object.entries(runtimes)) {
    if (wanted.length === 0 || wanted.some((word) => name.includes(word)))
      await tryRuntime(name, runtime);
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
