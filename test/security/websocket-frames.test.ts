// Boundary: callers over a WebSocket. Promises: no frame ends the process, and none leaves a call that runs for nobody.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  capability,
  createServer,
  restTransport,
  type Server,
} from '../../server-runtime/index.ts';
import { webSocketTransport } from '../../server-runtime/websocket/index.ts';
import { countInputs } from '../helpers/count-inputs.ts';
import { recordLog } from '../helpers/start-rest.ts';
import { openTalk } from '../helpers/start-web-sockets.ts';

/** The calls and streams whose code runs. */
let running = 0;
const counted = <Value>(run: () => Promise<Value>) => {
  running++;
  return run().finally(() => running--);
};
// `1e999` is read as `Infinity`, which no answer can hold.
const getItem = capability((input) =>
  counted(async () => ({ input: JSON.parse(JSON.stringify(input)) as unknown })),
);
const getNever = capability((_input: unknown, { signal }) =>
  counted(() => once(signal, 'abort').catch(() => {})),
);
const getFeed = capability(async function* (_input: unknown, { signal }) {
  running++;
  try {
    for (let at = 0; !signal.aborted; at++) {
      yield at;
      await new Promise((resolve) => setImmediate(resolve));
    }
  } finally {
    running--;
  }
});

const log = recordLog();
let server: Server;
let url: string;
beforeAll(async () => {
  server = createServer({
    capabilities: { a: { getItem }, b: { getNever }, c: { getFeed } },
    transports: [
      restTransport({ port: 0 }),
      webSocketTransport({ limits: { maxMessageSize: 10_000 } }),
    ],
    logger: log,
  });
  const [started] = await server.start();
  url = started?.url ?? '';
});
afterAll(() => server.stop({ graceMs: 0 }));

/** What clients send, each as a frame. */
const traffic: readonly string[] = [
  { id: 1, method: 'a.getItem', params: { a: [1, { b: 'ä' }] }, headers: { 'x-request-id': 'a' } },
  { id: 2, method: 'b.getNever' },
  { id: 'x', method: 'c.getFeed', window: 3 },
  { method: '$/more', params: { id: 'x', count: 2 } },
  { method: '$/cancel', params: { id: 2 } },
  { id: 3, method: '$/headers', params: { authorization: 'a', other: null } },
  { id: 4, method: '$/ping' },
  { method: 'a.getItem' },
].map((message) => JSON.stringify({ jsonrpc: '2.0', ...message }));

function toFrame(first: number, text: string | Uint8Array): Buffer {
  const payload = Buffer.from(text as string);
  const { length } = payload;
  const size = length < 126 ? [0x80 | length] : [0xfe, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([first, ...size, 0, 0, 0, 0]), payload]);
}

/** One of the messages with some letters changed, taken away, repeated or added. */
const mutatedText = fc
  .record({
    text: fc.constantFrom(...traffic),
    at: fc.nat(),
    cut: fc.nat({ max: 12 }),
    add: fc.oneof(
      fc.string(),
      fc.constantFrom('{', '"', '[]', 'null', ':', '\\u0000', '1e999', '-'),
    ),
    count: fc.integer({ min: 0, max: 2 }),
  })
  .map(({ text, at, cut, add, count }) => {
    const place = at % text.length;
    return text.slice(0, place) + add.repeat(count) + text.slice(place + cut);
  });
const frame = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...traffic).map((text) => toFrame(0x81, text)) },
  { weight: 6, arbitrary: mutatedText.map((text) => toFrame(0x81, text)) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.nat({ max: 255 }), mutatedText)
      .map(([first, text]) => toFrame(first, text)),
  },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }).map((bytes) => toFrame(0x81, bytes)) },
  { weight: 1, arbitrary: fc.jsonValue().map((value) => toFrame(0x81, JSON.stringify(value))) },
);

async function openSocket(): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  const head = ['GET /_call HTTP/1.1', 'host: a', 'connection: upgrade', 'upgrade: websocket'];
  const key = `sec-websocket-key: ${Buffer.alloc(16).toString('base64')}`;
  socket.write([...head, 'sec-websocket-version: 13', key, '', ''].join('\r\n'));
  await once(socket, 'data');
  return socket.on('error', () => {}).on('data', () => {});
}

it('frames of any kind, made of what clients send, end no process, leave no call and nothing in the log', async () => {
  const frames = fc.array(frame, { minLength: 1, maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(frames, fc.nat(), async (sent, at) => {
      const socket = await openSocket();
      const bytes = Buffer.concat(sent);
      // In two parts, which meet anywhere.
      const middle = at % (bytes.length + 1);
      socket.write(bytes.subarray(0, middle));
      await new Promise((resolve) => setImmediate(resolve));
      const closed = once(socket, 'close');
      socket.end(bytes.subarray(middle));
      await closed;
    }),
    // Each input is several frames: 500 in all, and 100,000 in the long job.
    { numRuns: countInputs(100) },
  );
  await expect.poll(() => running).toBe(0);
  expect(log.errors).toEqual([]);
  const talk = await openTalk(url.replace('http', 'ws'));
  expect(await talk.ask('a.getItem', { b: 1 })).toMatchObject({ result: { input: { b: 1 } } });
});
