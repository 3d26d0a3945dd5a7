// Boundary: anybody, over HTTP. Promise: a connection has one response in memory, however many requests it sends.
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { capability } from '../../server-runtime/index.ts';
import { openRaw, readAnswers } from '../helpers/raw-http.ts';
import { defer, startOverSocket } from '../helpers/start-rest.ts';

const LENGTH = 20_000_000;
const get = (path: string): string => `GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`;
const post = (path: string, text: string): string => {
  const body = JSON.stringify({ text });
  const type = 'content-type: application/json\r\n';
  return `POST ${path} HTTP/1.1\r\nhost: x\r\n${type}content-length: ${body.length}\r\n\r\n${body}`;
};

/** A server that counts what has run; `/helds` waits for the test. */
async function start() {
  const counts = { bigs: 0, echoes: 0, helds: 0 };
  const begun = defer();
  const held = defer();
  const capabilities = {
    bigs: { listBigs: capability(() => 'x'.repeat(LENGTH * Math.sign(++counts.bigs)), 'query') },
    echoes: {
      createEcho: capability((input) => {
        counts.echoes++;
        return input;
      }),
    },
    helds: {
      listHelds: capability(async () => {
        counts.helds++;
        begun.resolve();
        await held.promise;
        return 'held';
      }),
    },
  };
  const started = await startOverSocket({ capabilities });
  return { ...started, counts, begun: begun.promise, release: held.resolve };
}

it('runs the next request of a connection when the last response is sent', async () => {
  const { url, counts } = await start();
  const socket = openRaw(url);
  socket.write(get('/bigs').repeat(200));
  await once(socket, 'readable');
  // Other connections are answered meanwhile, and do not wait for this one.
  for (let count = 0; count < 5; count++)
    expect((await fetch(`${url}/echoes`, { method: 'POST' })).status).toBe(200);
  expect(counts.bigs).toBe(1);
  socket.destroy();
  for (let count = 0; count < 5; count++) await fetch(`${url}/echoes`, { method: 'POST' });
  expect(counts.bigs).toBeLessThan(3);
});

it('answers each of them in order, with its own body, however many are sent together', async () => {
  const { url, counts, begun, release } = await start();
  const socket = openRaw(url);
  const texts = Array.from({ length: 500 }, (_, index) => `${index}`.repeat(100));
  socket.write(get('/helds'));
  await begun;
  socket.write(texts.map((text) => post('/echoes', text)).join(''));
  expect((await fetch(`${url}/echoes`, { method: 'POST' })).status).toBe(200);
  expect(counts.echoes).toBe(1);
  release();
  const methods = ['GET', ...texts.map(() => 'POST')];
  const [first, ...others] = await readAnswers(socket, methods);
  expect(first?.body).toBe('{"data":"held"}');
  expect(others.map(({ body }) => body)).toEqual(
    texts.map((text) => JSON.stringify({ data: { text } })),
  );
});

it('reads no further of a connection on which many wait', async () => {
  const { url, counts, begun, release } = await start();
  const socket = openRaw(url);
  const count = 4000;
  const text = 'x'.repeat(10_000);
  socket.write(get('/helds'));
  await begun;
  const isAllTaken = socket.write(post('/echoes', text).repeat(count));
  expect(isAllTaken).toBe(false);
  // A server that read on would have had the time to read all of it.
  for (let each = 0; each < 50; each++) await fetch(`${url}/echoes`, { method: 'POST' });
  expect(socket.writableLength).toBeGreaterThan(0);
  release();
  const answers = await readAnswers(socket, [
    'GET',
    ...Array.from({ length: count }, () => 'POST'),
  ]);
  expect(answers.every(({ status }) => status === 200)).toBe(true);
  expect(counts.echoes).toBe(50 + count);
});

it('runs none of those that wait when their caller has left', async () => {
  const { url, counts, begun, release } = await start();
  const socket = openRaw(url);
  socket.write(get('/helds') + post('/echoes', 'a').repeat(20));
  await begun;
  socket.destroy();
  await once(socket, 'close');
  // The server hears of it while it answers others.
  for (let each = 0; each < 5; each++) await fetch(`${url}/nowhere`);
  release();
  for (let each = 0; each < 5; each++) await fetch(`${url}/helds`);
  expect([counts.helds, counts.echoes]).toEqual([6, 0]);
});
