/**
 * `npm run compat:browser`: both clients in a real Chromium, on a page of another origin than the server, over HTTP and
 * over a WebSocket, and the page at `/docs`. The browser is the one on this machine (`CHROMIUM`, or `chromium` in the path).
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { text } from 'node:stream/consumers';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { findProgram } from './find-program.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const chromium = findProgram('chromium');
const folder = await mkdtemp(join(tmpdir(), 'capix-browser-'));

const app = `
import {
  bytes, capability, createServer, defaultErrors, defineContext, defineError, defineGuard, redirect, restTransport,
  silentLogger, stream,
} from 'capix';
import { webSocketTransport } from 'capix/websocket';
import * as z from 'zod';

let made = 0;
const Taken = defineError(409, 'Taken', { meta: z.object({ by: z.string() }) });
export const capabilities = {
  items: {
    getItem: capability(z.object({ id: z.string() }), ({ id }) => ({ id, at: new Date(0) }), 'query').output(
      z.object({ id: z.string(), at: z.date() }),
    ),
    createItem: capability(z.object({ name: z.string() }), () => { throw Taken('has been taken', { by: 'ada' }); }).errors(Taken),
    listItems: capability(async function* () { yield { n: 1 }; yield { n: 2 }; }, 'query').output(stream(z.object({ n: z.number() }))),
    getPicture: capability(() => new Uint8Array([1, 2, 3]), 'query').output(bytes('image/png')),
    getCount: capability(async function* () { try { for (let n = 0; ; n++) { made = n; yield n; } } finally { made = -1; } }, 'query'),
    getMade: capability(() => made, 'query'),
    getPage: capability(() => 'https://example.org/there', 'query').output(redirect),
  },
};
const rest = restTransport({ port: 0, calls: true, docs: true });
const mustBeAda = defineGuard(({ token }) => { if (token !== 'ada') throw defaultErrors.Unauthorized('No session'); });
export const server = createServer({
  capabilities,
  context: defineContext(({ headers }) => ({ token: headers.authorization })),
  logger: silentLogger,
  transports: [rest, webSocketTransport({ guards: [mustBeAda] })],
});
`;

/** The elements in which Swagger UI shows an operation each. */
const shownOperations = [
  'getItem',
  'createItem',
  'listItems',
  'getPicture',
  'getPage',
  'getCount',
  'getMade',
].map((name) => `operations-items-items_${name}`);

/** What each client gives, as text. */
const page = (url, results) => `
import { createClient as createShared, webSocket } from 'capix/client';
import { createClient as createGenerated } from './api-client.ts';

/** A stream without end is made only as far as the page reads it, and is left when the page leaves it. */
const askSlowly = async (api) => {
  const items = (await api.items.getCount({}))[Symbol.asyncIterator]();
  const first = [(await items.next()).value, (await items.next()).value];
  await new Promise((resolve) => setTimeout(resolve, 300));
  const made = await api.items.getMade({});
  await items.return();
  while ((await api.items.getMade({})) !== -1) await new Promise((resolve) => setTimeout(resolve, 10));
  const picture = await api.items.getPicture.safe({});
  return { first, isFew: made < 100, picture: picture.status };
};
const ask = async (api, isSocket = false) => {
  const item = await api.items.getItem({ id: 'a/b' });
  const taken = await api.items.createItem.safe({ name: 'a' });
  const items = [];
  for await (const each of await api.items.listItems({})) items.push(each.n);
  const common = {
    item: [item.id, item.at instanceof Date, Number(item.at)],
    taken: [taken.ok, taken.status, taken.error?.name, taken.error?.meta],
    items,
  };
  if (isSocket) return { ...common, ...(await askSlowly(api)) };
  const picture = await api.items.getPicture({});
  return {
    ...common,
    picture: [picture instanceof Blob, picture.type, [...new Uint8Array(await picture.arrayBuffer())]],
    page: String(await api.items.getPage({})),
  };
};
const options = { baseUrl: ${JSON.stringify(url)} };
const told = {};
for (const [name, create] of Object.entries({ shared: createShared, generated: createGenerated }))
  {
    told[name] = await ask(create(options)).catch((error) => String(error.stack ?? error));
    const transport = webSocket(options.baseUrl);
    const api = create({ transport, headers: () => ({ authorization: 'ada' }) });
    told[name + ' over a WebSocket'] = await ask(api, true).catch((error) => String(error.stack ?? error));
  }
const stranger = createShared({ transport: webSocket(options.baseUrl), headers: { authorization: 'eve' } });
told.stranger = await stranger.items.getMade
  .safe()
  .then(({ status, error }) => ({ refused: [status, error.name, error.message] }), String);
await fetch(${JSON.stringify(results)}, { method: 'POST', body: JSON.stringify(told) });
`;

const expected = {
  item: ['a/b', true, 0],
  taken: [false, 409, 'Taken', { by: 'ada' }],
  items: [1, 2],
  picture: [true, 'image/png', [1, 2, 3]],
  page: 'https://example.org/there',
};

const { picture: _picture, page: _page, ...shared } = expected;
const overSocket = { ...shared, first: [0, 1], isFew: true, picture: 415 };

try {
  await mkdir(join(folder, 'node_modules'));
  await symlink(root, join(folder, 'node_modules', 'capix'), 'junction');
  await symlink(join(root, 'node_modules', 'zod'), join(folder, 'node_modules', 'zod'), 'junction');
  await writeFile(join(folder, 'package.json'), '{ "name": "browser", "type": "module" }');
  await writeFile(join(folder, 'app.mjs'), app);
  process.exitCode = await run();
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function run() {
  const { server } = await import(pathToFileURL(join(folder, 'app.mjs')).href);
  const [{ url }] = await server.start();
  const pages = createHttpServer();
  const told = new Promise((resolve) => {
    pages.on('request', (request, response) => void answer(request, response, { url, resolve }));
  });
  pages.listen(0, '127.0.0.1');
  await once(pages, 'listening');
  await writeClient();
  const browser = openBrowser(`http://127.0.0.1:${pages.address().port}/`);
  try {
    const results = await Promise.race([told, browser.failed]);
    return report(results, await readDocs(url));
  } finally {
    browser.end();
    pages.close();
    pages.closeAllConnections();
    await server.stop();
  }
}

/** The page, its script, and what the script tells. */
async function answer(request, response, { url, resolve }) {
  if (request.method === 'POST') {
    const parts = await request.toArray();
    response.end();
    resolve(JSON.parse(Buffer.concat(parts).toString()));
  } else if (request.url === '/page.js')
    response.setHeader('content-type', 'text/javascript').end(await bundle(page(url, '/told')));
  else
    response
      .setHeader('content-type', 'text/html')
      .end('<script type="module" src="/page.js"></script>');
}

/**
 * The page at `/docs` as Chromium shows it, and what it complains of. The files of the CDN come from `node_modules`,
 * and from another origin than the page.
 */
async function readDocs(url) {
  const cdn = 'https://cdn.jsdelivr.net/npm/swagger-ui-dist@5.35.0/';
  const server = createHttpServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  const toLocal = (told) => told?.replaceAll(cdn, `http://localhost:${port}/cdn/`) ?? '';
  server.on('request', (request, response) => void answerDocs(request, response, { url, toLocal }));
  try {
    const words = ['--enable-logging=stderr', '--dump-dom', '--virtual-time-budget=20000'];
    const options = { stdio: ['ignore', 'pipe', 'pipe'], timeout: 60_000 };
    const child = startBrowser('docs', [...words, `http://127.0.0.1:${port}/docs`], options);
    const [dom, log] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'exit'),
    ]);
    // Chromium writes what a page may not load or run to the console.
    const complaints = log.split('\n').filter((line) => line.includes(':CONSOLE'));
    return { dom, complaints };
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

/** A file of the CDN, or what the server of the page answers, with the address of the CDN changed. */
async function answerDocs(request, response, { url, toLocal }) {
  const [, file] = /^\/cdn\/([\w-]+\.(?:js|css))$/.exec(request.url) ?? [];
  response.setHeader('access-control-allow-origin', '*');
  if (file !== undefined) {
    response.setHeader('content-type', file.endsWith('.css') ? 'text/css' : 'text/javascript');
    response.end(await readFile(fileURLToPath(import.meta.resolve(`swagger-ui-dist/${file}`))));
    return;
  }
  const answered = await fetch(url + request.url);
  const policy = answered.headers.get('content-security-policy');
  if (policy !== null) response.setHeader('content-security-policy', toLocal(policy));
  response.setHeader('content-type', answered.headers.get('content-type'));
  response.writeHead(answered.status).end(toLocal(await answered.text()));
}

async function writeClient() {
  const words = [
    join(root, 'dist', 'cli.cjs'),
    'client',
    '--config',
    'app.mjs',
    '--output',
    'api-client.ts',
  ];
  const [code] = await once(
    spawn(process.execPath, words, { cwd: folder, stdio: 'inherit' }),
    'exit',
  );
  if (code !== 0) throw new Error(`capix client ended with ${code}`);
}

async function bundle(contents) {
  const stdin = { contents, resolveDir: folder, loader: 'ts' };
  const { outputFiles } = await build({
    stdin,
    bundle: true,
    format: 'esm',
    platform: 'browser',
    write: false,
  });
  return outputFiles[0].text;
}

function startBrowser(profile, words, options) {
  const quiet = [
    '--disable-gpu',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
  ];
  const all = ['--headless', '--no-sandbox', ...quiet, '--disable-sync', '--disable-quic'];
  const own = `--user-data-dir=${join(folder, profile)}`;
  return spawn(chromium, [...all, own, ...words], options);
}

function openBrowser(url) {
  const child = startBrowser('clients', ['--remote-debugging-port=0', url], { stdio: 'ignore' });
  const failed = new Promise((_, reject) => {
    child.once('error', (error) => reject(new Error(`There is no Chromium: ${error.message}`)));
    child.once('exit', (code) => reject(new Error(`Chromium ended with ${code}`)));
  });
  failed.catch(() => {});
  return { failed, end: () => child.kill('SIGKILL') };
}

/** What a client must give. */
function findExpected(client) {
  if (client === 'stranger') return { refused: [401, 'Unauthorized', 'No session'] };
  return client.endsWith('WebSocket') ? overSocket : expected;
}

/** The two clients give the same, and the page shows every operation. */
function report(results, { dom, complaints }) {
  const rows = Object.entries(results).flatMap(([client, result]) =>
    typeof result === 'string'
      ? [[client, 'all', result]]
      : Object.entries(findExpected(client)).map(([what, wanted]) => {
          const got = JSON.stringify(result[what]);
          return [client, what, got === JSON.stringify(wanted) ? 'as expected' : `got ${got}`];
        }),
  );
  const faults = shownOperations
    .filter((id) => !dom.includes(`id="${id}"`))
    .map((id) => `${id} is not shown`);
  faults.push(...complaints);
  rows.push(['/docs', 'operations', faults.length === 0 ? 'as expected' : faults.join('\n')]);
  for (const row of rows) process.stdout.write(`${row.join('  ')}\n`);
  return rows.length === 24 && rows.every(([, , said]) => said === 'as expected') ? 0 : 1;
}
