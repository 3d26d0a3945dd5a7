/**
 * `npm run compat:graphiql`: the page of GraphQL under `capix dev` in a real Chromium. It must show the schema and the
 * answer of a document that its URL holds, and complain of nothing. The files of the CDN come from npm, by their
 * digests, and from another origin than the page.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { findProgram } from './find-program.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const chromium = findProgram('chromium');
const cache = join(root, 'node_modules', '.cache', 'capix-graphiql');
const CDN = 'https://cdn.jsdelivr.net/npm/';

const server = `
import { capability, createServer, restTransport } from 'capix';
import { graphqlTransport } from 'capix/graphql';
const capabilities = { books: { countBooks: capability(() => 42, 'query') } };
await createServer({ capabilities, transports: [restTransport({ port: 0 }), graphqlTransport()] }).start();
`;

await mkdir(cache, { recursive: true });
const dependencies = {
  graphiql: '3.9.0',
  graphql: '16.14.0',
  react: '18.3.1',
  'react-dom': '18.3.1',
};
await writeFile(join(cache, 'package.json'), JSON.stringify({ private: true, dependencies }));
const words = ['install', '--no-audit', '--no-fund', '--prefer-offline', '--ignore-scripts'];
if (spawnSync('npm', words, { cwd: cache, stdio: 'inherit', shell: true }).status !== 0)
  throw new Error('npm install failed');

const folder = await mkdtemp(join(tmpdir(), 'capix-graphiql-'));
const proxy = createServer();
let dev;
try {
  await mkdir(join(folder, 'src'));
  await mkdir(join(folder, 'node_modules'));
  await symlink(root, join(folder, 'node_modules', 'capix'), 'junction');
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  await writeFile(join(folder, 'src', 'server.js'), server);
  dev = spawn(process.execPath, [join(root, 'dist', 'cli.cjs'), 'dev', 'src/server.js', '--json'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = await findUrl(dev);
  proxy.on('request', (request, response) => void answer(request, response, url));
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const { dom, complaints } = await show(`http://127.0.0.1:${proxy.address().port}/graphql`);
  const rows = [
    ['the editor is shown', dom.includes('graphiql-editors')],
    [
      'the schema is read',
      !dom.includes('Error fetching schema') && dom.includes('graphiql-sidebar'),
    ],
    ['the console has no complaint', complaints.length === 0],
  ];
  for (const [what, holds] of rows)
    process.stdout.write(`${what}  ${holds ? 'as expected' : 'NOT'}\n`);
  process.stdout.write(complaints.map((line) => `${line}\n`).join(''));
  process.exitCode = rows.every(([, holds]) => holds) ? 0 : 1;
} finally {
  dev?.kill('SIGTERM');
  proxy.close();
  proxy.closeAllConnections();
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
}

async function findUrl({ stdout }) {
  for await (const line of createInterface({ input: stdout })) {
    const { event, urls } = JSON.parse(line);
    if (event === 'ready') return urls[0];
  }
  throw new Error('capix dev ended before it was ready');
}

/** A file of the CDN, or what the server of the page answers, with the address of the CDN changed. */
async function answer(request, response, url) {
  const toLocal = (value) =>
    value?.replaceAll(CDN, `http://localhost:${proxy.address().port}/cdn/`);
  response.setHeader('access-control-allow-origin', '*');
  const [, file, rest] = /^\/cdn\/([\w-]+)@[\d.]+\/([\w./-]+)$/.exec(request.url) ?? [];
  if (file !== undefined) {
    response.setHeader('content-type', rest.endsWith('.css') ? 'text/css' : 'text/javascript');
    response.end(await readFile(join(cache, 'node_modules', file, rest)));
    return;
  }
  const { method, headers } = request;
  const body = method === 'POST' ? await text(request) : undefined;
  const { accept, 'content-type': type = 'text/plain' } = headers;
  const answered = await fetch(url + request.url, {
    method,
    body,
    headers: { accept, 'content-type': type },
  });
  const policy = toLocal(answered.headers.get('content-security-policy') ?? undefined);
  if (policy !== undefined) response.setHeader('content-security-policy', policy);
  response.setHeader('content-type', answered.headers.get('content-type') ?? 'text/plain');
  response.writeHead(answered.status).end(toLocal(await answered.text()));
}

async function show(page) {
  const words = [
    '--headless',
    '--no-sandbox',
    '--disable-gpu',
    '--no-first-run',
    '--disable-background-networking',
  ];
  const own = [
    `--user-data-dir=${join(folder, 'profile')}`,
    '--enable-logging=stderr',
    '--dump-dom',
  ];
  const child = spawn(chromium, [...words, ...own, '--virtual-time-budget=20000', page], {
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 60_000,
  });
  const [dom, log] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  return { dom, complaints: log.split('\n').filter((line) => line.includes(':CONSOLE')) };
}
