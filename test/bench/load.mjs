import { once } from 'node:events';
import { connect } from 'node:net';

/** The bytes of each request of a scenario, for one server. */
export function toRequestBytes(scenario, server) {
  return scenario.requests.map((request) => {
    const { method, path, headers, body } = toHttpRequest(request, server);
    const lines = [
      `${method} ${path} HTTP/1.1`,
      `host: 127.0.0.1:${server.port}`,
      ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ];
    return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body ?? ''}`);
  });
}

/** A request as that server takes it: `{method, path, headers, body}`, the body as text. */
export function toHttpRequest(request, { style }) {
  const { method, path, trpcPath = path, headers = {} } = request;
  const body = request.body === undefined ? undefined : JSON.stringify(request.body);
  const bodyHeaders =
    body === undefined
      ? {}
      : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) };
  return {
    method,
    path: style === 'trpc' ? trpcPath : path,
    headers: { ...headers, ...bodyHeaders },
    body,
  };
}

/**
 * Sends requests over keep-alive connections, one at a time on each, until `count` are answered:
 * `{seconds, latenciesMs}`, the latencies in ascending order. Rejects when an answer has another status.
 *
 * @param {{port: number, requests: Buffer[], status: number, count: number, connections?: number}} options
 */
export async function sendLoad({ port, requests, status, count, connections = 32 }) {
  const sockets = await Promise.all(Array.from({ length: connections }, () => open(port)));
  const latenciesMs = new Float64Array(count);
  const startedAt = performance.now();
  try {
    await new Promise((resolve, reject) => {
      const load = {
        requests,
        status: `HTTP/1.1 ${status}`,
        latenciesMs,
        sent: 0,
        answered: 0,
        resolve,
        reject,
      };
      for (const socket of sockets) drive(socket, load);
    });
  } finally {
    for (const socket of sockets) socket.destroy();
  }
  return { seconds: (performance.now() - startedAt) / 1000, latenciesMs: latenciesMs.sort() };
}

async function open(port) {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  await once(socket, 'connect');
  return socket;
}

function drive(socket, load) {
  let sentAt = 0;
  let pending;
  const send = () => {
    if (load.sent === load.latenciesMs.length) return;
    const request = load.requests[load.sent % load.requests.length];
    load.sent++;
    sentAt = performance.now();
    socket.write(request);
  };
  socket.on('data', (chunk) => {
    pending = pending === undefined ? chunk : Buffer.concat([pending, chunk]);
    const end = findEnd(pending);
    if (end === undefined) return;
    const answer = pending;
    pending = undefined;
    if (end !== answer.length || answer.latin1Slice(0, load.status.length) !== load.status) {
      return load.reject(
        new Error(
          `Expected ${load.status} and nothing after it, got: ${answer.toString().slice(0, 400)}`,
        ),
      );
    }
    load.latenciesMs[load.answered++] = performance.now() - sentAt;
    if (load.answered === load.latenciesMs.length) load.resolve();
    else send();
  });
  socket.on('error', load.reject);
  socket.on(
    'close',
    () =>
      load.answered < load.latenciesMs.length &&
      load.reject(new Error('The server closed a connection under load.')),
  );
  send();
}

/** Where the answer ends, by its length or its last chunk; undefined while it is incomplete. */
function findEnd(bytes) {
  const headEnd = bytes.indexOf('\r\n\r\n');
  if (headEnd === -1) return undefined;
  const length = /\r\ncontent-length: *(\d+)/i.exec(bytes.latin1Slice(0, headEnd));
  if (length !== null) {
    const end = headEnd + 4 + Number(length[1]);
    return bytes.length < end ? undefined : end;
  }
  return bytes.latin1Slice(bytes.length - 5) === '0\r\n\r\n' ? bytes.length : undefined;
}
