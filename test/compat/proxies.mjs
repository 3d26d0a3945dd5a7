/**
 * `npm run compat:proxies`, its first part: a server behind nginx as it is set up by default, with gzip, and with its three ways of
 * handing on a request, and WebSockets as docs/websocket.md sets them up. nginx is the one on this machine
 * (`NGINX`, or `nginx` in the path).
 */
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import * as z from 'zod';
import { createClient } from '../../dist/server-runtime/client/index.js';
import {
  capability,
  createServer,
  defineContext,
  healthChecks,
  restTransport,
  silentLogger,
  sse,
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

const folder = await mkdtemp(join(tmpdir(), 'capix-proxies-'));

const Input = z.object({ name: z.string() });
const capabilities = {
  things: {
    watch,
    getLong: capability(() => 'a long text. '.repeat(1000)).route('GET', '/long'),
    getAddress: capability((_input, { address }) => address).route('GET', '/address'),
    save: capability(Input, ({ name }) => name).route('POST', '/things'),
  },
};

const rest = restTransport({
  port: 0,
  host: '127.0.0.1',
  etag: true,
  maxBodySize: 1_000_000,
  limits: { keepAliveTimeoutMs: 3000 },
  trustProxy: 1,
});
const context = defineContext(({ remoteAddress }) => ({ address: remoteAddress }));
const server = createServer({
  capabilities,
  context,
  transports: [rest, webSocketTransport()],
  logger: silentLogger,
});
const [{ url }] = await server.start();

/** Events that every version of a server reads, as from a database: they outlive each of them. */
const log = { count: 0, add: () => {} };
const live = { port: await findPort(), deployments: 10, readinessMs: 300 };

/** A server as each deployment starts it: its stream goes on behind the id that the client names. */
async function startLive() {
  const watch = capability(async function* ({ after = 0 }) {
    for (let id = after + 1; ; id++) {
      while (log.count < id)
        await new Promise((resolve) => {
          const { add } = log;
          log.add = () => (add(), resolve());
        });
      yield sse({ number: id }, { id: `${id}` });
    }
  }, 'query')
    .input(z.object({ after: z.coerce.number().optional() }))
    .takes({ headers: { after: 'last-event-id' } });
  const version = createServer({
    capabilities: { events: { watch } },
    transports: [restTransport({ port: live.port, host: '127.0.0.1', calls: true })],
    plugins: [healthChecks()],
    logger: silentLogger,
  });
  await version.start();
  return version;
}

/**
 * A typed client reads events while the server is deployed anew, again and again: readiness fails, the server stops, the next one starts. Gives how many
 * deployments it saw nothing of: no event is lost and none comes twice.
 */
async function readOverDeployments() {
  let version = await startLive();
  const timer = setInterval(() => {
    log.count += 1;
    const { add } = log;
    log.add = () => {};
    add();
  }, 5);
  const numbers = [];
  let deployed = 0;
  let last = Number.POSITIVE_INFINITY;
  let isOver = false;
  const reading = (async () => {
    const api = createClient({ baseUrl: `${proxy}/live` });
    for await (const { number } of await api.events.watch()) {
      numbers.push(number);
      if (number >= last || isOver) return;
    }
    throw new Error(`The stream ended at ${numbers.at(-1)}, after ${deployed} deployments.`);
  })();
  reading.catch(() => {});
  try {
    for (; deployed < live.deployments; deployed++) {
      const before = numbers.length;
      await Promise.race([reading, untilTrue(() => numbers.length > before + 20)]);
      await version.stop({ readinessMs: live.readinessMs, graceMs: 1000 });
      version = await startLive();
    }
    last = log.count + 20;
    await reading;
  } finally {
    isOver = true;
    clearInterval(timer);
    await version.stop({ graceMs: 0 });
  }
  const isWhole = numbers.every((number, index) => number === index + 1);
  return isWhole
    ? `${deployed} deployments, nothing lost or twice`
    : `of ${last} events ${numbers.length}`;
}

async function untilTrue(isTrue) {
  while (!isTrue()) await pause(10);
}

const port = await findPort();
const proxy = `http://127.0.0.1:${port}`;
const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
/** The block of the page on WebSockets, for the server of this run. */
const [, forWebSockets] = /```nginx\n([^`]+)```/.exec(
  await readFile(new URL('../../docs/websocket.md', import.meta.url), 'utf8'),
);
const config = `
daemon off;
${process.getuid?.() === 0 ? 'user root;' : ''}
pid ${join(folder, 'pid')};
error_log ${join(folder, 'errors.log')};
events {}
http {
  access_log off;
  ${places.map((name) => `${name}_temp_path ${join(folder, name)};`).join('\n  ')}
  client_max_body_size 100m;
  gzip on;
  gzip_proxied any;
  gzip_types *;
  upstream app { server ${new URL(url).host}; keepalive 8; keepalive_timeout 1s; }
  server {
    listen 127.0.0.1:${port};
    location / { proxy_pass http://app; proxy_http_version 1.1; proxy_set_header Connection ""; }
    location /unbuffered/ {
      proxy_pass http://app/; proxy_request_buffering off; proxy_http_version 1.1; proxy_set_header Connection "";
    }
    location /live/ {
      proxy_pass http://127.0.0.1:${live.port}/; proxy_http_version 1.1; proxy_set_header Connection "";
    }
    ${forWebSockets.replace('127.0.0.1:3000', new URL(url).host)}
    location /old/ { proxy_pass http://app/; proxy_request_buffering off; }
  }
}
`;
await writeFile(join(folder, 'nginx.conf'), config);
const nginx = spawn(
  findProgram('nginx'),
  ['-p', folder, '-e', join(folder, 'errors.log'), '-c', join(folder, 'nginx.conf')],
  { stdio: ['ignore', 'ignore', 'inherit'] },
);
const failed = new Promise((_, reject) => {
  nginx.once('error', (error) => reject(new Error(`There is no nginx: ${error.message}`)));
});
failed.catch(() => {});

/** POSTs at about the time at which the proxy closes its idle connections. */
async function postAtTheEdge() {
  const statuses = new Set();
  for (let waitMs = 950; waitMs <= 1050; waitMs += 10) {
    const headers = { 'content-type': 'application/json' };
    const sent = { method: 'POST', headers, body: '{"name":"a"}' };
    statuses.add((await fetch(`${proxy}/things`, sent)).status);
    await pause(waitMs);
  }
  return [...statuses].join(', ');
}

const rows = [
  [
    'a WebSocket of a page of this site, and its address',
    () => callOverWebSocket(proxy, 'things.getAddress'),
    '127.0.0.1',
  ],
  [
    'a WebSocket of a page of another site, with a cookie',
    () => callOverWebSocket(proxy, 'things.getAddress', { origin: 'https://evil.example' }),
    403,
  ],
  ['a stream over a WebSocket', () => leaveOverWebSocket(proxy), '{"id":1,"data":{"item":0}}'],
  ['events, through gzip', () => readItems(proxy, 'text/event-stream'), 'each at once, gzip'],
  [
    'lines of JSON, through gzip',
    () => readItems(proxy, 'application/x-ndjson'),
    'each at once, gzip',
  ],
  [
    'a stream of a typed client while the server is deployed',
    readOverDeployments,
    '10 deployments, nothing lost or twice',
    120_000,
  ],
  ['a tag that gzip made weak', () => askAgain(proxy), 304],
  ['POSTs when idle connections close', postAtTheEdge, '200', 30_000],
  ...['', '/unbuffered', '/old'].flatMap((way) => [
    [`30 MB that are too long, ${way || 'buffered'}`, () => sendLong(`${proxy}${way}/things`), 413],
    [`30 MB for nothing, ${way || 'buffered'}`, () => sendLong(`${proxy}${way}/nothing`), 404],
  ]),
];

let faults = 0;
try {
  await Promise.race([failed, untilOpen(proxy)]);
  faults = await checkRows(rows);
} finally {
  // SIGKILL would leave its workers.
  nginx.kill('SIGTERM');
  await server.stop({ graceMs: 0 });
  await rm(folder, { recursive: true, force: true });
}
process.exitCode = faults === 0 ? 0 : 1;
