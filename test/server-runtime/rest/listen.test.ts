import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { connect as connectHttp2 } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent, request as httpRequest } from 'undici';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import {
  capability,
  createServer,
  type RestOptions,
  restTransport,
  silentLogger,
} from '../../../server-runtime/index.ts';
import { localhost } from '../../helpers/localhost-certificate.ts';
import { defer } from '../../helpers/start-rest.ts';

const items = {
  getItem: capability(z.object({ id: z.string() }), (input) => input),
  createItem: capability(z.object({ name: z.string() }), (input) => input),
  listItems: capability(async function* () {
    yield 1;
    yield 2;
  }),
};

async function start(rest: RestOptions): Promise<{ readonly url: string; readonly stop: () => Promise<void> }> {
  const server = createServer({ capabilities: { items }, transports: [restTransport(rest)], logger: silentLogger });
  const [started] = await server.start();
  onTestFinished(() => server.stop({ graceMs: 0 }));
  return { url: started?.url ?? '', stop: () => server.stop() };
}

describe('where it listens', () => {
  it.each([
    ['127.0.0.1', /^http:\/\/127\.0\.0\.1:\d+$/],
    ['0.0.0.0', /^http:\/\/localhost:\d+$/],
    ['localhost', /^http:\/\/localhost:\d+$/],
  ])('host %s', async (host, expected) => {
    const { url } = await start({ port: 0, host });
    expect(url).toMatch(expected);
    expect((await fetch(`${url}/items/7`)).status).toBe(200);
  });

  it('a Unix socket', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'capix-socket-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const path = join(folder, 'api.sock');
    const { url, stop } = await start({ unix: path });
    expect(url).toBe(`unix:${path}`);
    const dispatcher = new Agent({ connect: { socketPath: path } });
    onTestFinished(() => dispatcher.destroy());
    const { statusCode, body } = await httpRequest('http://any/items/7', { dispatcher });
    expect([statusCode, await body.json()]).toEqual([200, { data: { id: '7' } }]);
    await expect(start({ unix: path })).rejects.toMatchObject({
      code: 'EADDRINUSE',
      message: expect.stringContaining(`The socket ${path} is already in use`),
    });
    await stop();
  });

  it('HTTPS', async () => {
    const { url } = await start({ port: 0, https: localhost });
    expect(url).toMatch(/^https:\/\/localhost:\d+$/);
    const dispatcher = new Agent({ connect: { ca: localhost.cert } });
    onTestFinished(() => dispatcher.destroy());
    const { statusCode, body } = await httpRequest(`${url}/items/7`, { dispatcher });
    expect([statusCode, await body.json()]).toEqual([200, { data: { id: '7' } }]);
  });
});

describe('HTTP/2', () => {
  it.each([
    ['over TLS', { https: localhost }, { ca: localhost.cert }],
    ['in the clear', {}, {}],
  ])('%s: plain answers, bodies, refusals and streams', async (_name, rest, client) => {
    const { url, stop } = await start({ port: 0, http2: true, ...rest });
    const session = connectHttp2(url, client);
    onTestFinished(() => session.destroy());
    const call = async (
      headers: Record<string, string>,
      body?: string,
    ): Promise<[status: unknown, text: string, id: boolean]> => {
      const stream = session.request(headers, { endStream: body === undefined });
      if (body !== undefined) stream.end(body);
      let text = '';
      stream.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      const [[answer]] = (await Promise.all([once(stream, 'response'), once(stream, 'end')])) as [
        [Record<string, unknown>],
        unknown,
      ];
      return [answer[':status'], text, typeof answer['x-request-id'] === 'string'];
    };
    expect(await call({ ':path': '/items/7' })).toEqual([200, '{"data":{"id":"7"}}', true]);
    expect(
      await call({ ':path': '/items', ':method': 'POST', 'content-type': 'application/json' }, '{"name":"x"}'),
    ).toEqual([200, '{"data":{"name":"x"}}', true]);
    expect(await call({ ':path': '/items', ':method': 'POST' })).toEqual([
      400,
      expect.stringContaining('"name: '),
      true,
    ]);
    expect(await call({ ':path': '/nowhere' })).toEqual([404, '{"error":"NotFound","message":"Not found"}', true]);
    expect(await call({ ':path': '/items' })).toEqual([200, '1\n2\n', true]);
    expect(await call({ ':path': '/items/7', ':method': 'HEAD' })).toEqual([200, '', true]);
    const closed = once(session, 'close');
    await stop();
    await closed;
  });

  it('answers HTTP/1.1 beside it over TLS', async () => {
    const { url } = await start({ port: 0, http2: true, https: localhost });
    const dispatcher = new Agent({ connect: { ca: localhost.cert }, allowH2: false });
    onTestFinished(() => dispatcher.destroy());
    const { statusCode, body } = await httpRequest(`${url}/items/7`, { dispatcher });
    expect([statusCode, await body.json()]).toEqual([200, { data: { id: '7' } }]);
  });

  it('fires the signal when the client cancels its stream', async () => {
    const started = defer();
    const aborted = defer<unknown>();
    const handler = capability.withContext<{ readonly signal: AbortSignal }>()((_input, { signal }) => {
      signal.addEventListener('abort', () => aborted.resolve(signal.reason));
      started.resolve();
      return new Promise(() => {});
    });
    const server = createServer({
      capabilities: { jobs: { getJobs: handler } },
      transports: [restTransport({ port: 0, http2: true })],
      logger: silentLogger,
    });
    const [running] = await server.start();
    onTestFinished(() => server.stop({ graceMs: 0 }));
    const session = connectHttp2(running?.url ?? '');
    onTestFinished(() => session.destroy());
    const stream = session.request({ ':path': '/jobs' });
    stream.on('error', () => {});
    await started.promise;
    stream.close(8);
    expect(await aborted.promise).toMatchObject({ name: 'AbortError' });
  });
});

describe('a server of the application', () => {
  it('gets the requests, and stays open when the transport stops', async () => {
    const own = createHttpServer();
    own.listen(0);
    await once(own, 'listening');
    onTestFinished(() => void own.close());
    const { url, stop } = await start({ server: own });
    expect(url).toBe(`http://localhost:${(own.address() as AddressInfo).port}`);
    expect((await fetch(`${url}/items/7`)).status).toBe(200);
    await stop();
    own.on('request', (_request, response) => response.end('mine'));
    expect(await (await fetch(`${url}/items/7`)).text()).toBe('mine');
    own.closeAllConnections();
  });

  it('may listen later', async () => {
    const own = createHttpServer();
    const { url } = await start({ server: own });
    expect(url).toBe('');
    own.listen(0);
    await once(own, 'listening');
    onTestFinished(() => {
      own.close();
      own.closeAllConnections();
    });
    expect((await fetch(`http://localhost:${(own.address() as AddressInfo).port}/items/7`)).status).toBe(200);
  });
});

it.each([
  [{ port: -1 }, /restTransport port: expected an integer from 0 to 65535, got -1/],
  [{ port: 65_536 }, /restTransport port/],
  [{ port: Number.NaN }, /got NaN/],
  [{ port: '3000' as unknown as number }, /got the string '3000'/],
  [{ maxBodySize: -1 }, /restTransport maxBodySize: expected an integer of at least 0/],
  [
    { urlCase: 'pascal' as unknown as 'kebab' },
    /restTransport urlCase: expected 'kebab', 'snake' or 'camel', got 'pascal'/,
  ],
  [{ heartbeatMs: 0 }, /restTransport heartbeatMs/],
])('refuses %j when the transport is made', (options, message) => {
  expect(() => restTransport(options)).toThrow(message);
});
