import { once } from 'node:events';
import { type ClientHttp2Stream, connect as connectHttp2, createServer } from 'node:http2';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { describe, expect, it, onTestFinished } from 'vitest';
import { limitSessions } from '../../../server-runtime/http/limits/limit-sessions.ts';
import { capability } from '../../../server-runtime/index.ts';
import { localhost } from '../../helpers/localhost-certificate.ts';
import { defer, startOverSocket } from '../../helpers/start-rest.ts';

const LIMIT_MS = 200;
const preface = Buffer.concat([Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), frame(4, 0, 0, [])]);
/** The first header of a request, without the end of the head. */
const halfHead = frame(1, 0, 1, [0x82]);
/** A whole POST of text to `/`, whose body does not come. */
const headOfPost = frame(1, 4, 1, [0x83, 0x84, 0x86, 0x41, 0x01, 0x78, 0x5f, 0x0a, ...Buffer.from('text/plain')]);

function frame(type: number, flags: number, stream: number, payload: readonly number[]): Buffer {
  return Buffer.from([0, 0, payload.length, type, flags, 0, 0, 0, stream, ...payload]);
}

const silences: readonly (readonly [what: string, sent: Buffer])[] = [
  ['that says nothing', Buffer.alloc(0)],
  ['that asks for nothing', preface],
  ['whose head has no end', Buffer.concat([preface, halfHead])],
  ['whose body does not come, and which has its answer', Buffer.concat([preface, headOfPost])],
];

const capabilities = {
  jobs: { listJobs: capability(() => []), getReport: capability(() => 'x'.repeat(300_000)) },
};

describe('a connection of HTTP/2 in the clear', () => {
  /** Answers 415 to what has a body, and anything else when `isReady` is. */
  async function start(isReady: Promise<void>): Promise<number> {
    const server = createServer((request, response) => {
      if (request.method === 'POST') response.writeHead(415).end();
      else void isReady.then(() => response.end('x'.repeat(300_000)));
    });
    limitSessions(server, LIMIT_MS);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    onTestFinished(() => void server.close());
    return (server.address() as AddressInfo).port;
  }

  it.each(silences)('%s is ended', async (_what, sent) => {
    const socket = connect(await start(Promise.resolve()), '127.0.0.1');
    socket.write(sent);
    expect(await toEnd(socket)).toBe('ended');
  });

  it('is ended when its requests have had their answers', async () => {
    const client = connectHttp2(`http://127.0.0.1:${await start(Promise.resolve())}`);
    for (let count = 0; count < 3; count++) expect(await readAll(client.request({ ':path': '/' }))).toBe(300_000);
    await once(client, 'close');
  });

  it('is not ended while an answer takes longer, or is read slowly', async () => {
    const { promise, resolve } = defer();
    const client = connectHttp2(`http://127.0.0.1:${await start(promise)}`);
    let isOver = false;
    client.once('close', () => (isOver = true));
    const late = client.request({ ':path': '/' });
    setTimeout(resolve, 4 * LIMIT_MS);
    await once(late, 'response');
    // Until it is read, no more comes than the window of the stream.
    await new Promise((done) => setTimeout(done, 4 * LIMIT_MS));
    expect(isOver).toBe(false);
    expect(await readAll(late)).toBe(300_000);
    await once(client, 'close');
  });
});

describe('a connection to restTransport({http2: true, https})', () => {
  const start = () =>
    startOverSocket({
      capabilities,
      rest: {
        http2: true,
        https: {
          ...localhost,
          headersTimeout: LIMIT_MS,
          requestTimeout: LIMIT_MS,
          keepAliveTimeout: LIMIT_MS,
          connectionsCheckingInterval: 50,
        },
      },
    });

  it.each<readonly [protocol: string, what: string, sent: Buffer]>([
    ...silences.map(([what, sent]) => ['h2', what, sent] as const),
    ['http/1.1', 'that says nothing', Buffer.alloc(0)],
    ['http/1.1', 'whose head has no end', Buffer.from('GET /jobs HTTP/1.1\r\nhost: x\r\n')],
    ['http/1.1', 'that has its answer', Buffer.from('GET /jobs HTTP/1.1\r\nhost: x\r\n\r\n')],
  ])('by %s %s is ended', async (protocol, _what, sent) => {
    const { url } = await start();
    const port = Number(new URL(url).port);
    const socket = connectTls({ port, ca: localhost.cert, ALPNProtocols: [protocol] });
    await once(socket, 'secureConnect');
    socket.write(sent);
    expect(await toEnd(socket)).toBe('ended');
  });

  it('is not ended between requests that follow each other', async () => {
    const { url } = await start();
    const client = connectHttp2(url, { ca: localhost.cert });
    for (let count = 0; count < 4; count++) {
      expect(await readAll(client.request({ ':path': '/jobs/report' }))).toBe(300_011);
      await new Promise((done) => setTimeout(done, LIMIT_MS / 2));
    }
    expect(client.destroyed).toBe(false);
    await once(client, 'close');
  });
});

/** Waits for it, whatever comes until then. */
async function toEnd(socket: Socket): Promise<'ended'> {
  socket.on('error', () => {}).resume();
  await once(socket, 'close');
  return 'ended';
}

async function readAll(stream: ClientHttp2Stream): Promise<number> {
  let length = 0;
  for await (const chunk of stream) length += (chunk as Buffer).length;
  return length;
}
