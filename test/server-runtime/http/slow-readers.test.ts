import diagnostics from 'node:diagnostics_channel';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { describe, expect, it, onTestFinished } from 'vitest';
import { capability, type RestOptions, reply } from '../../../server-runtime/index.ts';
import { defer, startOverSocket } from '../../helpers/start-rest.ts';

const long = 'x'.repeat(40_000_000);

function* parts(): Generator<string> {
  for (;;) yield 'x'.repeat(100_000);
}

const capabilities = {
  short: capability(() => 'short', 'query'),
  long: capability(() => long, 'query'),
  stream: capability(
    () => reply(Readable.from(parts()), { headers: { 'content-type': 'text/plain' } }),
    'query',
  ),
};

/** Starts a server, and notes the socket of each request. */
async function start(
  rest: RestOptions,
  more: Parameters<typeof startOverSocket>[0]['capabilities'] = {},
) {
  const sockets: Socket[] = [];
  const note = (message: unknown): void =>
    void sockets.push((message as { readonly socket: Socket }).socket);
  diagnostics.subscribe('http.server.request.start', note);
  onTestFinished(() => void diagnostics.unsubscribe('http.server.request.start', note));
  const { url } = await startOverSocket({ capabilities: { ...capabilities, ...more }, rest });
  return { sockets, open: () => openRaw(url) };
}

/** A client that leaves its end of the connection open, whatever the server does. */
function openRaw(url: string): Socket {
  const { port, hostname } = new URL(url);
  const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
  onTestFinished(() => void socket.destroy());
  return socket.on('error', () => {});
}

async function expectClosed(socket: Socket | undefined): Promise<void> {
  if (socket?.closed === false) await once(socket, 'close');
  expect(socket?.closed).toBe(true);
}

async function askFirst(client: Socket): Promise<void> {
  client.write('GET /short HTTP/1.1\r\nhost: x\r\n\r\n');
  await once(client, 'data');
}

const limits = { slowReaderMs: 300 };

describe('a connection whose caller reads nothing more is ended', () => {
  const mounts = { '/mounted': () => new Response() };
  it.each([
    ['a long answer to its first request', '/long', false, {}],
    ['a long answer to a later request', '/long', true, {}],
    ['a stream to its first request', '/stream', false, {}],
    ['a stream to a later request', '/stream', true, {}],
    ['a long answer beside a mount', '/long', true, { mounts }],
  ] as const)('%s', async (_name, path, isLater, rest) => {
    const { sockets, open } = await start({ limits, ...rest });
    const client = open();
    if (isLater) await askFirst(client);
    client.pause();
    client.write(`GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`);
    await expect.poll(() => sockets.length).toBe(isLater ? 2 : 1);
    await expectClosed(sockets.at(-1));
    expect(client.bytesRead).toBeLessThan(long.length);
  });
});

it('a connection without a request is ended', async () => {
  const { open } = await start({ limits });
  const client = open();
  await once(client.resume(), 'end');
  expect(client.bytesRead).toBe(0);
});

it('a connection whose last request was answered is ended when it stays idle', async () => {
  const { sockets, open } = await start({ limits: { keepAliveTimeoutMs: 20 } });
  await askFirst(open());
  await expectClosed(sockets[0]);
});

it('a connection whose request is broken is ended, though its caller does not end it', async () => {
  const received = defer();
  const thing = capability(async (_input: unknown) => {
    received.resolve();
  }, 'mutation');
  const { sockets, open } = await start({ limits }, { thing });
  const client = open();
  await askFirst(client);
  client.write(
    'POST /thing HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\ncontent-type: application/json\r\n\r\nno\r\n',
  );
  const [head] = (await once(client, 'data')) as [Buffer];
  expect(String(head)).toMatch(/^HTTP\/1\.1 400 /);
  await expectClosed(sockets[0]);
});

it('a stream may be silent for longer, while its caller waits', async () => {
  const more = defer();
  const two = capability(async function* () {
    yield 'first';
    await more.promise;
    yield 'second';
  }, 'query');
  const { open } = await start({ limits, heartbeatMs: 60_000 }, { two });
  const client = open();
  await askFirst(client);
  client.write('GET /two HTTP/1.1\r\nhost: x\r\naccept: application/x-ndjson\r\n\r\n');
  let text = '';
  client.on('data', (bytes) => {
    text += bytes;
  });
  await expect.poll(() => text).toContain('first');
  // It is ended by the same limit, and came later.
  await once(open().resume(), 'end');
  more.resolve();
  await expect.poll(() => text).toContain('second');
});
