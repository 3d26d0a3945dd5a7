// Boundary: anybody, over HTTP. Promise: callers who send slowly, or nothing, hold no more than they have sent, and not for
// longer than the time of a request; others are served meanwhile.
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';
import { capability } from '../../server-runtime/index.ts';
import { openRaw, readAll } from '../helpers/raw-http.ts';
import { startOverSocket } from '../helpers/start-rest.ts';

const items = {
  listItems: capability(() => [], 'query'),
  createItem: capability(z.looseObject({}), () => null),
};

function open(url: string): Socket {
  const socket = openRaw(url).on('error', () => {});
  onTestFinished(() => void socket.destroy());
  return socket;
}
const toHead = (type: string, length: number): string =>
  `POST /items HTTP/1.1\r\nhost: x\r\ncontent-type: ${type}\r\ncontent-length: ${length}\r\n\r\n`;

it.each([
  ['JSON', 'application/json', '{"a":'],
  [
    'a form',
    'multipart/form-data; boundary=X',
    '--X\r\ncontent-disposition: form-data; name="a"\r\n\r\n',
  ],
])(
  'a body of %s that does not come is 504 after the time of a request, and the connection ends',
  async (_what, type, begin) => {
    const { url } = await startOverSocket({ capabilities: { items }, timeoutMs: 200 });
    const socket = open(url);
    socket.write(toHead(type, 1000) + begin);
    expect(await readAll(socket)).toMatch(/^HTTP\/1\.1 504/);
  },
);

it('200 bodies that are half there keep nobody from being served, and take the memory of what was sent', async () => {
  const { url, request } = await startOverSocket({ capabilities: { items } });
  const half = Buffer.alloc(100_000, ' ');
  const before = process.memoryUsage().rss;
  const sockets = Array.from({ length: 200 }, () => open(url));
  for (const socket of sockets) {
    socket.write(toHead('application/json', 1_000_000));
    socket.write(half);
  }
  await Promise.all(
    sockets.map(async (socket) => socket.connecting && (await once(socket, 'connect'))),
  );
  expect((await request('/items')).status).toBe(200);
  // 20 MB were sent: a server that made room for all of each body would have 200.
  expect(process.memoryUsage().rss - before).toBeLessThan(150_000_000);
});

it('500 connections that send nothing, or half of a head, keep nobody from being served', async () => {
  const { url, request } = await startOverSocket({ capabilities: { items } });
  const sockets = Array.from({ length: 500 }, () => open(url));
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  for (const socket of sockets.slice(250)) socket.write('GET /items HTTP/1.1\r\nhost: x\r\nx-a: ');
  expect((await request('/items')).status).toBe(200);
});
