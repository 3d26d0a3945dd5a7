import { describe, expect, it } from 'vitest';
import { capability } from '../../../server-runtime/index.ts';
import { openRaw, readAll } from '../../helpers/raw-http.ts';
import { defer, startOverSocket } from '../../helpers/start-rest.ts';

const get = (path: string, more = ''): string => `GET ${path} HTTP/1.1\r\nhost: x\r\n${more}\r\n`;

/** A server that writes down what has run; `/slows` waits for the test. */
async function start() {
  const ran: string[] = [];
  const begun = defer();
  const held = defer<string>();
  const started = await startOverSocket({
    capabilities: {
      fasts: { listFasts: capability(() => ran.push('fast')) },
      slows: {
        listSlows: capability(async () => {
          ran.push('slow');
          begun.resolve();
          return held.promise;
        }),
      },
      bigs: { listBigs: capability(() => 'x'.repeat(20_000_000)) },
    },
  });
  return { ...started, ran, begun: begun.promise, release: () => held.resolve('slow') };
}

/** The statuses of the responses on a connection, and which of them end it. */
function toStatuses(text: string): readonly string[] {
  return [...text.matchAll(/HTTP\/1\.1 (\d+)[^]*?\r\nconnection: (\S+)/gi)].map(
    ([, status, end]) => `${status} ${end}`,
  );
}

describe('requests that a client sends together on one connection', () => {
  it('all have their responses where the server stops while the first runs, and those that wait do not run', async () => {
    const { server, url, ran, begun, release } = await start();
    const socket = openRaw(url);
    socket.write(get('/slows') + get('/fasts') + get('/slows'));
    await begun;
    const other = openRaw(url);
    other.write(get('/slows'));
    await expect.poll(() => ran.length).toBe(2);
    const stopped = server.stop();
    release();
    expect(toStatuses(await readAll(socket))).toEqual([
      '200 keep-alive',
      '503 keep-alive',
      '503 close',
    ]);
    expect(toStatuses(await readAll(other))).toEqual(['200 close']);
    await stopped;
    expect(ran).toEqual(['slow', 'slow']);
  });

  it('do not run where they come while the server stops, after one that ends the connection', async () => {
    const { server, url, ran, begun, release } = await start();
    const other = openRaw(url);
    other.write(get('/slows'));
    const socket = openRaw(url);
    socket.write(get('/fasts'));
    await Promise.all([begun, new Promise((resolve) => socket.once('data', resolve))]);
    const stopped = server.stop();
    socket.write(get('/fasts') + get('/fasts'));
    expect(toStatuses(await readAll(socket))).toEqual(['503 close']);
    release();
    await stopped;
    expect(ran).toEqual(['slow', 'fast']);
  });

  it.each([
    ['a fast one', '/fasts', '/fasts', ['fast', 'fast']],
    ['a slow one', '/slows', '/fasts', ['slow', 'fast']],
  ])(
    'do not run after one that asks to end the connection: %s, and the last',
    async (_name, first, last, expected) => {
      const { url, ran, begun, release } = await start();
      const socket = openRaw(url);
      socket.write(get(first) + get(last, 'connection: close\r\n') + get('/fasts'));
      if (first === '/slows') void begun.then(release);
      expect(toStatuses(await readAll(socket))).toEqual(['200 keep-alive', '200 close']);
      expect(ran).toEqual(expected);
    },
  );

  it('have their responses before what is not HTTP is refused', async () => {
    const { url, begun, release } = await start();
    const socket = openRaw(url);
    socket.write(`${get('/fasts')}${get('/slows')}nonsense\r\n\r\n`);
    await begun;
    release();
    expect(toStatuses(await readAll(socket))).toEqual([
      '200 keep-alive',
      '200 keep-alive',
      '400 close',
    ]);
  });

  it('do not run after a response that ends the connection, and do not count as under way', async () => {
    const { url, ran } = await start();
    const socket = openRaw(url);
    const body = 'x'.repeat(100_000);
    socket.write(
      `POST /nowhere HTTP/1.1\r\nhost: x\r\ncontent-length: ${body.length}\r\n\r\n${body}${get('/fasts')}`,
    );
    expect(toStatuses(await readAll(socket))).toEqual(['404 close']);
    expect(ran).toEqual([]);
    expect((await fetch(`${url}/fasts`)).status).toBe(200);
  });
});

it('a server that stops lets a client that reads slowly have its whole response', async () => {
  const { server, url } = await start();
  const socket = openRaw(url);
  socket.write(get('/bigs'));
  await new Promise((resolve) => socket.once('readable', resolve));
  const other = await fetch(`${url}/fasts`).then((response) => response.text());
  expect(other).toContain('data');
  const stopped = server.stop();
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect((await readAll(socket)).length).toBeGreaterThan(20_000_000);
  await stopped;
});
