/**
 * `npm run compat:browser`: both clients in a real Chromium, on a page of another origin than the server. The browser is the
 * one on this machine (`CHROMIUM`, or `chromium` in the path); without one it says so and fails.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = await mkdtemp(join(tmpdir(), 'capix-browser-'));

const app = `
import { bytes, capability, createServer, defineError, redirect, restTransport, silentLogger, stream } from 'capix';
import * as z from 'zod';

const Taken = defineError(409, 'Taken', { meta: z.object({ by: z.string() }) });
export const capabilities = {
  items: {
    getItem: capability(z.object({ id: z.string() }), ({ id }) => ({ id, at: new Date(0) }), 'query').output(
      z.object({ id: z.string(), at: z.date() }),
    ),
    createItem: capability(z.object({ name: z.string() }), () => { throw Taken('has been taken', { by: 'ada' }); }).errors(Taken),
    listItems: capability(async function* () { yield { n: 1 }; yield { n: 2 }; }, 'query').output(stream(z.object({ n: z.number() }))),
    getPicture: capability(() => new Uint8Array([1, 2, 3]), 'query').output(bytes('image/png')),
    getPage: capability(() => 'https://example.org/there', 'query').output(redirect),
  },
};
export const server = createServer({ capabilities, logger: silentLogger, transports: [restTransport({ port: 0, calls: true })] });
`;

/** What each client gives, as text. */
const page = (url, results) => `
import { createClient as createShared } from 'capix/client';
import { createClient as createGenerated } from './api-client.ts';

const ask = async (api) => {
  const item = await api.items.getItem({ id: 'a/b' });
  const taken = await api.items.createItem.safe({ name: 'a' });
  const items = [];
  for await (const each of await api.items.listItems({})) items.push(each.n);
  const picture = await api.items.getPicture({});
  return {
    item: [item.id, item.at instanceof Date, Number(item.at)],
    taken: [taken.ok, taken.status, taken.error?.name, taken.error?.meta],
    items,
    picture: [picture instanceof Blob, picture.type, [...new Uint8Array(await picture.arrayBuffer())]],
    page: String(await api.items.getPage({})),
  };
};
const options = { baseUrl: ${JSON.stringify(url)} };
const told = {};
for (const [name, create] of Object.entries({ shared: createShared, generated: createGenerated }))
  told[name] = await ask(create(options)).catch((error) => String(error.stack ?? error));
await fetch(${JSON.stringify(results)}, { method: 'POST', body: JSON.stringify(told) });
`;

const expected = {
  item: ['a/b', true, 0],
  taken: [false, 409, 'Taken', { by: 'ada' }],
  items: [1, 2],
  picture: [true, 'image/png', [1, 2, 3]],
  page: 'https://example.org/there',
};

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
    return report(results);
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
  else response.setHeader('content-type', 'text/html').end('<script type="module" src="/page.js"></script>');
}

async function writeClient() {
  const words = [join(root, 'dist', 'cli.cjs'), 'client', '--config', 'app.mjs', '--output', 'api-client.ts'];
  const [code] = await once(spawn(process.execPath, words, { cwd: folder, stdio: 'inherit' }), 'exit');
  if (code !== 0) throw new Error(`capix client ended with ${code}`);
}

async function bundle(contents) {
  const stdin = { contents, resolveDir: folder, loader: 'ts' };
  const { outputFiles } = await build({ stdin, bundle: true, format: 'esm', platform: 'browser', write: false });
  return outputFiles[0].text;
}

function openBrowser(url) {
  const quiet = ['--disable-gpu', '--no-first-run', '--disable-background-networking', '--disable-component-update'];
  const words = [
    '--headless',
    '--no-sandbox',
    ...quiet,
    '--disable-sync',
    '--disable-quic',
    '--remote-debugging-port=0',
  ];
  const child = spawn(
    process.env.CHROMIUM ?? 'chromium',
    [...words, `--user-data-dir=${join(folder, 'profile')}`, url],
    {
      stdio: 'ignore',
    },
  );
  const failed = new Promise((_, reject) => {
    child.once('error', (error) => reject(new Error(`There is no Chromium: ${error.message}`)));
    child.once('exit', (code) => reject(new Error(`Chromium ended with ${code}`)));
  });
  failed.catch(() => {});
  return { failed, end: () => child.kill('SIGKILL') };
}

/** The two clients give the same. */
function report(results) {
  const rows = Object.entries(results).flatMap(([client, result]) =>
    typeof result === 'string'
      ? [[client, 'all', result]]
      : Object.entries(expected).map(([what, wanted]) => {
          const got = JSON.stringify(result[what]);
          return [client, what, got === JSON.stringify(wanted) ? 'as expected' : `got ${got}`];
        }),
  );
  for (const row of rows) process.stdout.write(`${row.join('  ')}\n`);
  return rows.length === 10 && rows.every(([, , said]) => said === 'as expected') ? 0 : 1;
}
