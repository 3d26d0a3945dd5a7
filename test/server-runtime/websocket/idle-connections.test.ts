import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it, onTestFinished } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { capability } from '../../../server-runtime/index.ts';
import { startSockets } from '../../helpers/start-web-sockets.ts';

const COUNT = 400;
const AT_ONCE = 50;
/** Beyond what ws itself holds for a connection, which is 2.6 KiB. With closures and lists of each, it was 2.0 KiB. */
const MAX_BYTES = 1.6 * 1024;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

it('an idle connection holds little more than one of ws by hand: what only a busy one needs is made later', async () => {
  const capix = await startSockets({ capabilities: { a: { getOne: capability(() => 1) } } });
  const byHand = new WebSocketServer({ port: 0, perMessageDeflate: false });
  onTestFinished(() => byHand.close());
  byHand.on('connection', (socket) => void socket.on('message', ignore));
  const { port } = byHand.address() as { readonly port: number };
  const urls = [`ws://localhost:${port}`, `${capix.url}/_call`] as const;
  // What is made once, by whoever comes first, and the code of both.
  for (const url of urls) await measure(url);
  const differences: number[] = [];
  for (let round = 0; round < 3; round++) {
    const hand = await measure(urls[0]);
    differences.push((await measure(urls[1])) - hand);
  }
  expect(Math.min(...differences)).toBeLessThan(MAX_BYTES);
});

/** The bytes of objects that a connection takes, with those of its client, who is in this process too. All stay open. */
async function measure(url: string): Promise<number> {
  const before = readHeap();
  for (let count = 0; count < COUNT; count += AT_ONCE)
    await Promise.all(Array.from({ length: AT_ONCE }, () => open(url)));
  return (readHeap() - before) / COUNT;
}

function ignore(): void {}

function open(url: string): Promise<WebSocket> {
  const socket = new WebSocket(url, { perMessageDeflate: false });
  onTestFinished(() => socket.terminate());
  return new Promise((resolve, reject) => {
    socket.once('open', () => resolve(socket)).once('error', reject);
  });
}

function readHeap(): number {
  collect();
  collect();
  return process.memoryUsage().heapUsed;
}
