import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Registry } from 'prom-client';
import { expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import {
  capability,
  createServer,
  type Logger,
  restTransport,
  silentLogger,
  toFetchHandler,
  toNodeHandler,
  uploadedFile,
} from '../../../server-runtime/index.ts';
import { prometheus } from '../../../server-runtime/observe/prometheus.ts';
import { openRaw } from '../../helpers/raw-http.ts';
import { defer } from '../../helpers/start-rest.ts';

/** A server whose capabilities wait, with what its access log and its metrics say. */
function create() {
  const lines: { readonly level: string; readonly text: string }[] = [];
  const registry = new Registry();
  const started = defer();
  const logged = defer();
  const ended = defer();
  const write =
    (level: string) =>
    (text: string): void => {
      lines.push({ level, text: text.replace(/in [\d.]+ ms/, 'in time') });
      logged.resolve();
    };
  const logger: Logger = { ...silentLogger, info: write('info'), warn: write('warn') };
  const wait = async (signal: AbortSignal): Promise<void> => {
    started.resolve();
    await once(signal, 'abort');
    ended.resolve();
  };
  const capabilities = {
    a: {
      getSlow: capability((_input, { signal }) => wait(signal)),
      getStream: capability(async function* (_input, { signal }) {
        await wait(signal);
        yield 1;
      }),
      getBegun: capability(async function* (_input, { signal }) {
        yield 1;
        await wait(signal);
      }),
      sendFile: capability(
        z.object({ file: uploadedFile({ stream: true }) }),
        (_input, { signal }) => wait(signal),
      ),
      createA: capability((input) => input),
    },
  };
  const make = (transports: readonly ReturnType<typeof restTransport>[] = []) =>
    createServer({
      capabilities,
      plugins: [prometheus({ registry, path: false })],
      transports,
      accessLog: { filter: () => true },
      logger,
    });
  const readCount = async (status: number): Promise<string | undefined> => {
    const pattern = new RegExp(`_count\\{.*status="${status}"\\} (\\d+)`);
    return pattern.exec(await registry.metrics())?.[1];
  };
  return { make, lines, started, logged, ended, readCount };
}

async function listenMounted(
  server: ReturnType<ReturnType<typeof create>['make']>,
): Promise<string> {
  const host = createHttpServer(toNodeHandler(server)).listen(0, '127.0.0.1');
  await once(host, 'listening');
  onTestFinished(() => {
    host.close();
    host.closeAllConnections();
  });
  return `http://127.0.0.1:${(host.address() as AddressInfo).port}`;
}

it.each([
  ['own listener', '/a/slow'],
  ['own listener', '/a/stream'],
  ['mounted', '/a/slow'],
  ['mounted', '/a/stream'],
])('counts and logs a caller who leaves before the answer: %s, %s', async (place, path) => {
  const { make, lines, started, ended, readCount } = create();
  const server = make(place === 'mounted' ? [] : [restTransport({ port: 0 })]);
  if (place !== 'mounted') onTestFinished(() => server.stop({ graceMs: 0 }));
  const url = place === 'mounted' ? await listenMounted(server) : (await server.start())[0]?.url;
  lines.length = 0;
  const socket = openRaw(url ?? '');
  socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`);
  await started.promise;
  socket.destroy();
  await ended.promise;
  expect(lines).toEqual([{ level: 'info', text: `[capix] GET ${path} 499 in time` }]);
  expect(await readCount(499)).toBe('1');
});

it('counts a caller who leaves while it sends its body', async () => {
  const { make, lines, logged, readCount } = create();
  const url = await listenMounted(make());
  const socket = openRaw(url);
  socket.write(
    'POST /a HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{"a',
  );
  await once(socket, 'connect');
  socket.end();
  socket.destroySoon();
  await logged.promise;
  expect(lines).toEqual([{ level: 'info', text: '[capix] POST /a 499 in time' }]);
  expect(await readCount(499)).toBe('1');
});

it('counts a request of fetch that is aborted', async () => {
  const { make, lines, started, readCount } = create();
  const answer = toFetchHandler(make());
  const abort = new AbortController();
  const response = answer(new Request('http://x.test/a/slow', { signal: abort.signal }));
  await started.promise;
  abort.abort();
  await expect(response).rejects.toThrow();
  expect(lines.map(({ text }) => text)).toEqual(['[capix] GET /a/slow 499 in time']);
  expect(await readCount(499)).toBe('1');
});

it('counts who leaves in the middle of an answer by the status that was sent', async () => {
  const { make, lines, started, ended, readCount } = create();
  const url = await listenMounted(make());
  const socket = openRaw(url);
  socket.write('GET /a/begun HTTP/1.1\r\nhost: x\r\n\r\n');
  await started.promise;
  await once(socket, 'data');
  socket.destroy();
  await ended.promise;
  expect(lines.map(({ text }) => text)).toEqual(['[capix] GET /a/begun 200 in time']);
  expect([await readCount(200), await readCount(499)]).toEqual(['1', undefined]);
});
