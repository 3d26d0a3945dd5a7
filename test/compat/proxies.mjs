/**
 * `npm run compat:proxies`: a server behind nginx as it is set up by default, with gzip, and with its three ways of
 * handing on a request, and WebSockets as docs/websocket.md sets them up. nginx is the one on this machine (`NGINX`, or `nginx` in the path); without one it says so and
 * fails.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer as createNetServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { WebSocket } from 'ws';
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

const folder = await mkdtemp(join(tmpdir(), 'capix-proxies-'));
const TIMEOUT_MS = 10_000;
const BODY_BYTES = 30_000_000;

const Input = z.object({ name: z.string() });
/** Lets the stream go on. The proxy hands on each item before the next one is made, or this hangs. */
let goOn = () => {};
let hasEnded = false;
const capabilities = {
  things: {
    watch: capability(async function* () {
      try {
        for (let item = 0; ; item++) {
          const next = new Promise((resolve) => {
            goOn = resolve;
          });
          yield { item };
          await next;
        }
      } finally {
        hasEnded = true;
      }
    }, 'query').route('GET', '/watch'),
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

async function findPort() {
  const probe = createNetServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address();
  probe.close();
  await once(probe, 'close');
  return port;
}

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
  process.env.NGINX ?? 'nginx',
  ['-p', folder, '-e', join(folder, 'errors.log'), '-c', join(folder, 'nginx.conf')],
  { stdio: ['ignore', 'ignore', 'inherit'] },
);
const failed = new Promise((_, reject) => {
  nginx.once('error', (error) => reject(new Error(`There is no nginx: ${error.message}`)));
});
failed.catch(() => {});

async function untilOpen() {
  for (let attempt = 0; attempt < 100; attempt++) {
    const isOpen = await fetch(`${proxy}/long`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isOpen) return;
    await pause(50);
  }
  throw new Error('nginx does not answer.');
}

/** Reads three items, each of which is made once the one before is here, and leaves. */
async function readItems(accept) {
  hasEnded = false;
  const leaving = new AbortController();
  const response = await fetch(`${proxy}/watch`, {
    headers: { accept, 'accept-encoding': 'gzip' },
    signal: leaving.signal,
  });
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (let item = 0; item < 3; item++) {
    while (!text.includes(`"item":${item}`)) text += (await reader.read()).value;
    goOn();
  }
  leaving.abort();
  while (!hasEnded) {
    goOn();
    await pause(10);
  }
  return 'each at once';
}

/** The status of a refusal while a long body is under way. */
async function sendLong(path) {
  const chunk = Buffer.alloc(100_000, 'a');
  const chunks = Array.from({ length: BODY_BYTES / chunk.length }, () => chunk);
  const response = await fetch(proxy + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'content-length': `${BODY_BYTES}` },
    body: Readable.toWeb(Readable.from(chunks)),
    duplex: 'half',
  });
  await response.text();
  return response.status;
}

async function askAgain() {
  const headers = { 'accept-encoding': 'gzip' };
  const first = await fetch(`${proxy}/long`, { headers });
  await first.text();
  const tag = first.headers.get('etag');
  return (await fetch(`${proxy}/long`, { headers: { ...headers, 'if-none-match': tag } })).status;
}

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

/** Opens a WebSocket through the proxy, as a page of this origin with a cookie, and calls. */
async function callOverWebSocket(origin, method) {
  const socket = new WebSocket(`${proxy.replace('http', 'ws')}/_call`, 'capix.v1', {
    headers: { origin, cookie: 'session=1' },
  });
  const refused = once(socket, 'unexpected-response').then(([, { statusCode }]) => statusCode);
  refused.catch(() => {});
  const status = await Promise.race([once(socket, 'open').then(() => 101), refused]);
  if (status !== 101) return status;
  socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method, window: 3 }));
  const [data] = await once(socket, 'message');
  const { result, params } = JSON.parse(data.toString());
  socket.close();
  return result ?? JSON.stringify(params);
}

/** A stream over a WebSocket whose caller leaves ends. */
async function leaveOverWebSocket() {
  hasEnded = false;
  const first = await callOverWebSocket(proxy, 'things.watch');
  while (!hasEnded) {
    goOn();
    await pause(10);
  }
  return first;
}

const rows = [
  [
    'a WebSocket of a page of this site, and its address',
    () => callOverWebSocket(proxy, 'things.getAddress'),
    '127.0.0.1',
  ],
  [
    'a WebSocket of a page of another site, with a cookie',
    () => callOverWebSocket('https://evil.example', 'things.getAddress'),
    403,
  ],
  ['a stream over a WebSocket', leaveOverWebSocket, '{"id":1,"data":{"item":0}}'],
  ['events, through gzip', () => readItems('text/event-stream'), 'each at once'],
  ['lines of JSON, through gzip', () => readItems('application/x-ndjson'), 'each at once'],
  [
    'a stream of a typed client while the server is deployed',
    readOverDeployments,
    '10 deployments, nothing lost or twice',
  ],
  ['a tag that gzip made weak', askAgain, 304],
  ['POSTs when idle connections close', postAtTheEdge, '200'],
  ...['', '/unbuffered', '/old'].flatMap((way) => [
    [`30 MB that are too long, ${way || 'buffered'}`, () => sendLong(`${way}/things`), 413],
    [`30 MB for nothing, ${way || 'buffered'}`, () => sendLong(`${way}/nothing`), 404],
  ]),
];

let faults = 0;
try {
  await Promise.race([failed, untilOpen()]);
  for (const [what, run, wanted] of rows) {
    const limitMs = { POSTs: 30_000, 'a stream of': 120_000 };
    const [, ms = TIMEOUT_MS] =
      Object.entries(limitMs).find(([begin]) => what.startsWith(begin)) ?? [];
    const late = pause(ms, 'too late', { ref: false });
    const got = await Promise.race([run().catch((error) => `${error.cause ?? error}`), late]);
    if (got !== wanted) faults++;
    process.stdout.write(`${what}: ${got === wanted ? 'as expected' : `${got}, not ${wanted}`}\n`);
  }
} finally {
  nginx.kill('SIGKILL');
  await server.stop({ graceMs: 0 });
  await rm(folder, { recursive: true, force: true });
}
process.exitCode = faults === 0 ? 0 : 1;
