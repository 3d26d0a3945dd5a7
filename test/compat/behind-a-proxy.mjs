/** What the scripts of proxies share: a stream that goes on once its last item has arrived, calls through a proxy, and their table. */
import { once } from 'node:events';
import { createServer as createNetServer } from 'node:net';
import process from 'node:process';
import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { capability } from '../../dist/server-runtime/index.js';

const TIMEOUT_MS = 10_000;
const BODY_BYTES = 30_000_000;

/** Lets the stream go on. The proxy hands on each item before the next one is made, or this hangs. */
let goOn = () => {};
let hasEnded = false;

export const watch = capability(async function* () {
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
}, 'query').route('GET', '/watch');

async function untilEnded() {
  while (!hasEnded) {
    goOn();
    await pause(10);
  }
}

export async function findPort() {
  const probe = createNetServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address();
  probe.close();
  await once(probe, 'close');
  return port;
}

export async function untilOpen(proxy) {
  for (let attempt = 0; attempt < 100; attempt++) {
    const isOpen = await fetch(`${proxy}/long`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isOpen) return;
    await pause(50);
  }
  throw new Error('The proxy does not answer.');
}

/** Reads three items, each of which is made once the one before is here, and leaves. */
export async function readItems(proxy, accept) {
  hasEnded = false;
  const leaving = new AbortController();
  const response = await fetch(`${proxy}/watch`, {
    headers: { accept, 'accept-encoding': 'gzip' },
    signal: leaving.signal,
  });
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  const end = accept === 'text/event-stream' ? '\n\n' : '\n';
  let text = '';
  for (let item = 0; item < 3; item++) {
    while (!text.includes(`{"item":${item}}${end}`)) text += (await reader.read()).value;
    goOn();
  }
  leaving.abort();
  await untilEnded();
  return `each at once, ${response.headers.get('content-encoding') ?? 'as it is'}`;
}

/** The status of a refusal while a long body is under way. */
export async function sendLong(url) {
  const chunk = Buffer.alloc(100_000, 'a');
  const chunks = Array.from({ length: BODY_BYTES / chunk.length }, () => chunk);
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'content-length': `${BODY_BYTES}` },
    body: Readable.toWeb(Readable.from(chunks)),
    duplex: 'half',
  });
  await response.text();
  return response.status;
}

export async function askAgain(proxy) {
  const headers = { 'accept-encoding': 'gzip' };
  const first = await fetch(`${proxy}/long`, { headers });
  await first.text();
  const tag = first.headers.get('etag');
  return (await fetch(`${proxy}/long`, { headers: { ...headers, 'if-none-match': tag } })).status;
}

/** Opens a WebSocket through the proxy, as a page of this origin with a cookie, and calls. */
export async function callOverWebSocket(proxy, method, { origin = proxy, localAddress } = {}) {
  const socket = new WebSocket(`${proxy.replace('http', 'ws')}/_call`, 'capix.v1', {
    headers: { origin, cookie: 'session=1' },
    localAddress,
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
export async function leaveOverWebSocket(proxy) {
  hasEnded = false;
  const first = await callOverWebSocket(proxy, 'things.watch');
  await untilEnded();
  return first;
}

/** Runs rows of what is tried, how, what is wanted, and how long it may take. Gives how many came out otherwise. */
export async function checkRows(rows) {
  let faults = 0;
  for (const [what, run, wanted, limitMs = TIMEOUT_MS] of rows) {
    const late = pause(limitMs, 'too late', { ref: false });
    const got = await Promise.race([run().catch((error) => `${error.cause ?? error}`), late]);
    if (got !== wanted) faults++;
    process.stdout.write(`${what}: ${got === wanted ? 'as expected' : `${got}, not ${wanted}`}\n`);
  }
  return faults;
}
