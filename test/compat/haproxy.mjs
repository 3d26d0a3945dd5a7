/**
 * `npm run compat:proxies`, its second part: a server behind HAProxy with compression, as docs/scaling.md sets it up. HAProxy is the one on
 * this machine (`HAPROXY`, or `haproxy` in the path).
 */
import { spawn } from 'node:child_process';
import { subscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import * as z from 'zod';
import {
  bytes,
  capability,
  createServer,
  defineContext,
  reply,
  restTransport,
  silentLogger,
} from '../../dist/server-runtime/index.js';
import { webSocketTransport } from '../../dist/server-runtime/websocket/index.js';
import {
  askAgain,
  callOverWebSocket,
  checkRows,
  findPort,
  leaveOverWebSocket,
  readItems,
  sendLong,
  untilOpen,
  watch,
} from './behind-a-proxy.mjs';
import { findProgram } from './find-program.mjs';

const program = findProgram('haproxy');

/** So many callers at the same time wait for each other. */
const CALLERS = 6;
const waiting = [];
const meet = () =>
  new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length === CALLERS) for (const goOn of waiting.splice(0)) goOn('met');
  });

const TEXT = 'a long text. '.repeat(1000);
const capabilities = {
  things: {
    watch,
    getLong: capability(() => TEXT, 'query').route('GET', '/long'),
    getFile: capability(() => reply(Buffer.from(TEXT), { headers: { etag: '"1"' } }), 'query')
      .output(bytes('text/plain'))
      .route('GET', '/file'),
    meet: capability(meet).route('POST', '/meeting'),
    getAddress: capability((_input, { address }) => address, 'query'),
    save: capability(z.object({ name: z.string() }), ({ name }) => name).route('POST', '/things'),
  },
};
const rest = restTransport({
  port: 0,
  host: '127.0.0.1',
  etag: true,
  maxBodySize: 1_000_000,
  limits: { keepAliveTimeoutMs: 65_000 },
  trustProxy: 1,
});
const server = createServer({
  capabilities,
  context: defineContext(({ remoteAddress }) => ({ address: remoteAddress })),
  transports: [rest, webSocketTransport()],
  logger: silentLogger,
});
const [{ url }] = await server.start();

/** The connections by which requests came to the server. */
const connections = new Set();
subscribe('http.server.request.start', ({ socket }) => connections.add(socket));

const port = await findPort();
const proxy = `http://127.0.0.1:${port}`;
const folder = await mkdtemp(join(tmpdir(), 'capix-haproxy-'));
/**
 * The block of the page on production, for the server of this run. Here it compresses all types, one thread has all idle connections, and they
 * close sooner, so that the run meets it.
 */
const [, block] = /```haproxy\n([^`]+)```/.exec(
  await readFile(new URL('../../docs/scaling.md', import.meta.url), 'utf8'),
);
await writeFile(
  join(folder, 'haproxy.cfg'),
  `global\n  nbthread 1\n\n${block}`
    .replace(/ {2}compression type.*\n/, '')
    .replace('bind :80', `bind 127.0.0.1:${port}`)
    .replace('127.0.0.1:3000', new URL(url).host)
    .replace('pool-purge-delay 5s', 'pool-purge-delay 1s'),
);
const haproxy = spawn(program, ['-db', '-q', '-f', join(folder, 'haproxy.cfg')], {
  stdio: ['ignore', 'ignore', 'inherit'],
});
const failed = new Promise((_, reject) => {
  haproxy.once('error', (error) => reject(new Error(`There is no HAProxy: ${error.message}`)));
  haproxy.once('exit', (code) => reject(new Error(`HAProxy ended with ${code}.`)));
});
failed.catch(() => {});

/** A request by a connection of its own, or by one of the agent's. */
async function send(method, path, { headers = {}, body, agent = false } = {}) {
  const sent = request(proxy + path, { method, headers, agent }).end(body);
  const [response] = await once(sent, 'response');
  const chunks = await response.toArray();
  return { status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks) };
}

const save = (name) =>
  send('POST', '/things', {
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name }),
  });

async function getLong() {
  const response = await fetch(`${proxy}/long`, { headers: { 'accept-encoding': 'gzip' } });
  const isWhole = (await response.json()).data === TEXT;
  return `${response.headers.get('content-encoding')}, ${isWhole ? 'whole' : 'broken'}`;
}

async function getPart(range) {
  const headers = { range, 'accept-encoding': 'gzip' };
  const { status, headers: got, body } = await send('GET', '/file', { headers });
  return `${status}, ${got['content-range']}, ${got['content-encoding'] ?? 'as it is'}, ${status === 206 ? body : ''}`;
}

/** HEAD, and a GET behind it by the same connection, which a body that was sent by mistake would spoil. */
async function sendHead() {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const head = await send('HEAD', '/file', { agent });
  const get = await send('GET', '/file', { agent });
  agent.destroy();
  return `${head.status}, ${head.headers['content-length']}, ${head.body.length} bytes, then ${get.body.length}`;
}

/** POSTs of callers who each connect anew, one after the other. */
async function reuse() {
  connections.clear();
  const statuses = new Set();
  for (let count = 0; count < 20; count++) statuses.add((await save('a')).status);
  return `${[...statuses].join(', ')} by ${connections.size}`;
}

/** POSTs while HAProxy closes one after the other of the connections that callers at the same time had opened. */
async function saveWhileClosing() {
  connections.clear();
  await Promise.all(Array.from({ length: CALLERS }, () => send('POST', '/meeting')));
  const opened = [...connections];
  const statuses = new Set();
  while (opened.filter(({ destroyed }) => destroyed).length < CALLERS - 2) {
    statuses.add((await save('a')).status);
    await pause(5);
  }
  return `${[...statuses].join(', ')} by ${opened.length}`;
}

const rows = [
  ['an answer, compressed', getLong, 'gzip, whole'],
  ['events', () => readItems(proxy, 'text/event-stream'), 'each at once, as it is'],
  ['lines of JSON', () => readItems(proxy, 'application/x-ndjson'), 'each at once, as it is'],
  ['a tag that compression made weak', () => askAgain(proxy), 304],
  ['a part', () => getPart('bytes=2-5'), '206, bytes 2-5/13000, as it is, long'],
  ['a part that is not there', () => getPart('bytes=13000-'), '416, bytes */13000, as it is, '],
  ['HEAD', sendHead, '200, 13000, 0 bytes, then 13000'],
  ['30 MB that are too long', () => sendLong(`${proxy}/things`), 413],
  ['30 MB for nothing', () => sendLong(`${proxy}/nothing`), 404],
  ['nothing', async () => (await send('GET', '/nothing')).status, 404],
  ['20 POSTs by one connection to the server', reuse, '200 by 1'],
  ['POSTs while idle connections close', saveWhileClosing, '200 by 6', 30_000],
  [
    'a WebSocket of a page of this site, and its address',
    () => callOverWebSocket(proxy, 'things.getAddress', { localAddress: '127.0.0.2' }),
    '127.0.0.2',
  ],
  [
    'a WebSocket of a page of another site, with a cookie',
    () => callOverWebSocket(proxy, 'things.getAddress', { origin: 'https://evil.example' }),
    403,
  ],
  ['a stream over a WebSocket', () => leaveOverWebSocket(proxy), '{"id":1,"data":{"item":0}}'],
];

let faults = 0;
try {
  await Promise.race([failed, untilOpen(proxy)]);
  faults = await checkRows(rows);
} finally {
  haproxy.kill('SIGKILL');
  await server.stop({ graceMs: 0 });
  await rm(folder, { recursive: true, force: true });
}
process.exitCode = faults === 0 ? 0 : 1;
