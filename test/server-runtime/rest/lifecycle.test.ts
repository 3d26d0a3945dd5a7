import { once } from 'node:events';
import { networkInterfaces } from 'node:os';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  capability,
  createServer,
  restTransport,
  silentLogger,
} from '../../../server-runtime/index.ts';
import { openRaw, readAll, toRawAnswer } from '../../helpers/raw-http.ts';
import { defer, json, recordLog, startOverSocket } from '../../helpers/start-rest.ts';

const items = { listItems: capability(() => []), createItem: capability(() => 1) };

describe('start', () => {
  it('tells the address and the routes, and the log of both', async () => {
    const lines: string[] = [];
    const server = createServer({
      capabilities: { items },
      transports: [restTransport({ port: 0 })],
      logger: { ...silentLogger, info: (line) => void lines.push(line) },
    });
    onTestFinished(() => server.stop());
    const [started] = await server.start();
    expect(started).toEqual({
      url: expect.stringMatching(/^http:\/\/localhost:\d+$/),
      networkUrls: started?.networkUrls,
      routes: [
        { method: 'GET', path: '/items', key: 'items.listItems' },
        { method: 'POST', path: '/items', key: 'items.createItem' },
      ],
    });
    expect(lines).toEqual([
      `[capix] Server started on ${started?.url}`,
      '[capix] Routes:',
      '  GET   /items  items.listItems',
      '  POST  /items  items.createItem',
      expect.stringMatching(
        /^\[capix\] It listens at every address of this machine(: http:\/\/\S+:\d+)*/,
      ),
    ]);
  });

  it.each([undefined, '', '0.0.0.0', '::'])(
    'at host %j tells where other machines reach it, and each of these answers',
    async (host) => {
      const { server, url } = await startOverSocket({ capabilities: { items }, rest: { host } });
      await server.stop();
      const [started] = await server.start();
      expect(url).toMatch(/^http:\/\/localhost:\d+$/);
      const own = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
      const port = new URL(started?.url ?? '').port;
      for (const { address, internal, family } of own) {
        if (family === 'IPv4')
          expect(started?.networkUrls?.includes(`http://${address}:${port}`)).toBe(!internal);
      }
      for (const each of started?.networkUrls ?? [])
        expect((await fetch(`${each}/items`)).status).toBe(200);
      expect(started?.networkUrls).toBeDefined();
    },
  );

  it('at a host tells that, and no more', async () => {
    const { server, url } = await startOverSocket({
      capabilities: { items },
      rest: { host: '127.0.0.1' },
    });
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    await server.stop();
    const [started] = await server.start();
    expect(started).not.toHaveProperty('networkUrls');
  });

  it('at a host that is not of this machine names it', async () => {
    const server = createServer({
      capabilities: { items },
      transports: [restTransport({ port: 0, host: '203.0.113.7' })],
      logger: silentLogger,
    });
    await expect(server.start()).rejects.toMatchObject({
      code: 'EADDRNOTAVAIL',
      message: expect.stringMatching(
        /^This machine has no address 203\.0\.113\.7\. Choose another host/,
      ),
    });
  });

  it('puts the keys of the routes under each other', async () => {
    const lines: string[] = [];
    const server = createServer({
      capabilities: {
        items,
        orders: { bulkStatus: capability(() => 1), deleteOrder: capability(() => 1) },
      },
      transports: [restTransport({ port: 0 })],
      logger: { ...silentLogger, info: (line) => void lines.push(line) },
    });
    onTestFinished(() => server.stop());
    await server.start();
    expect(lines.slice(2, 6)).toEqual([
      '  GET     /items               items.listItems',
      '  POST    /items               items.createItem',
      '  POST    /orders/bulk-status  orders.bulkStatus',
      '  DELETE  /orders/:id          orders.deleteOrder',
    ]);
  });

  it('refuses two capabilities on one route: names both, prints an override that solves it, and opens nothing', async () => {
    const capabilities = { items: { ...items, findItem: capability(() => 2) } };
    const server = createServer({
      capabilities,
      transports: [restTransport({ port: 0 })],
      logger: silentLogger,
    });
    const error = await server.start().then(
      () => undefined,
      (reason: Error) => reason,
    );
    expect(error?.message).toContain('`items.listItems` and `items.findItem` are both GET /items');
    const override = /'items\.findItem': \{ method: 'GET', path: '([^']+)' \}/.exec(
      error?.message ?? '',
    )?.[1];
    const { request } = await startOverSocket({
      capabilities,
      rest: { overrides: { 'items.findItem': { method: 'GET', path: override as `/${string}` } } },
    });
    expect(await (await request(override!)).json()).toEqual({ data: 2 });
  });

  it('warns of an override that nothing has the key of', async () => {
    const { log } = await startOverSocket({
      capabilities: { items },
      rest: { overrides: { 'items.listItem': { method: 'GET', path: '/all' } } },
    });
    expect(log.warnings).toEqual([expect.stringContaining('Did you mean `items.listItems`?')]);
  });

  it('serves overrides, and paths in the case asked for', async () => {
    const capabilities = {
      orderLines: { bulkStatus: capability(() => 'bulk'), moveAll: capability((input) => input) },
    };
    const { request } = await startOverSocket({
      capabilities,
      rest: {
        urlCase: 'snake',
        overrides: { 'orderLines.moveAll': { method: 'put', path: '/projects/:projectId/lines' } },
      },
    });
    expect(await (await request('/order_lines/bulk_status', json({}))).json()).toEqual({
      data: 'bulk',
    });
    expect(await (await request('/projects/7/lines', json({ a: 1 }, 'PUT'))).json()).toEqual({
      data: { a: 1, projectId: '7' },
    });
  });

  it('says which port is taken, with the code of the system', async () => {
    const { url } = await startOverSocket({ capabilities: { items } });
    const port = Number(new URL(url).port);
    const second = createServer({
      capabilities: { items },
      transports: [restTransport({ port })],
      logger: silentLogger,
    });
    await expect(second.start()).rejects.toMatchObject({
      code: 'EADDRINUSE',
      message: `Port ${port} is already in use. Stop the program that uses it, or choose another port.`,
    });
  });

  it('closes what it opened when another transport cannot start', async () => {
    const { url } = await startOverSocket({ capabilities: { items } });
    const taken = Number(new URL(url).port);
    const server = createServer({
      capabilities: { items },
      transports: [restTransport({ port: 0 }), restTransport({ port: taken })],
      logger: silentLogger,
    });
    await expect(server.start()).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });

  it('answers 503 with Connection: close until every transport of the server has started', async () => {
    const listening = defer<string>();
    const held = defer();
    const rest = restTransport({ port: 0 });
    const first = {
      ...rest,
      start: async (app: Parameters<typeof rest.start>[0]) => {
        const started = await rest.start(app);
        listening.resolve(started.url ?? '');
        return started;
      },
    };
    const slow = {
      name: 'slow',
      start: () => held.promise.then(() => ({ routes: [] })),
      stop: () => Promise.resolve(),
    };
    const server = createServer({
      capabilities: { items },
      transports: [first, slow],
      logger: silentLogger,
    });
    onTestFinished(() => server.stop({ graceMs: 0 }));
    const starting = server.start();
    const url = await listening.promise;
    const early = await fetch(`${url}/items`);
    expect([early.status, early.headers.get('connection'), await early.json()]).toEqual([
      503,
      'close',
      { error: 'ServiceUnavailable', message: 'Service unavailable' },
    ]);
    held.resolve();
    await starting;
    expect((await fetch(`${url}/items`)).status).toBe(200);
  });

  it('runs several transports in one server, each with its own capabilities', async () => {
    const admin = { admin: { getStats: capability(() => 'stats') } };
    const server = createServer({
      capabilities: { items },
      transports: [restTransport({ port: 0 }), restTransport({ port: 0, capabilities: admin })],
      logger: silentLogger,
    });
    onTestFinished(() => server.stop({ graceMs: 0 }));
    const [first, second] = await server.start();
    const statuses = await Promise.all(
      [
        `${first?.url}/items`,
        `${first?.url}/admin/stats`,
        `${second?.url}/items`,
        `${second?.url}/admin/stats`,
      ].map(async (url) => (await fetch(url)).status),
    );
    expect(statuses).toEqual([200, 404, 404, 200]);
  });
});

describe('stop', () => {
  const pending = (held: Promise<unknown>, started: () => void) => ({
    jobs: {
      getJobs: capability(async () => {
        started();
        return held;
      }),
    },
  });

  it('lets a request under way end, with Connection: close, and refuses new connections', async () => {
    const held = defer<string>();
    const started = defer();
    const { server, url } = await startOverSocket({
      capabilities: pending(held.promise, started.resolve),
    });
    const answer = fetch(`${url}/jobs`);
    await started.promise;
    const stopped = server.stop();
    await expect(fetch(`${url}/jobs`)).rejects.toThrow();
    held.resolve('done');
    const response = await answer;
    expect([await response.json(), response.headers.get('connection')]).toEqual([
      { data: 'done' },
      'close',
    ]);
    await stopped;
  });

  it('answers 503 with Connection: close to a request that was on its way', async () => {
    const held = defer<string>();
    const started = defer();
    const { server, url, request } = await startOverSocket({
      capabilities: { items, ...pending(held.promise, started.resolve) },
    });
    const kept = openRaw(url);
    kept.write('GET /items HTTP/1.1\r\nhost: x\r\n\r\n');
    await once(kept, 'data');
    await new Promise((resolve) => kept.write('GET /items HTTP/1.1\r\n', resolve));
    const underWay = request('/jobs');
    await started.promise;
    const stopped = server.stop();
    const refused = readAll(kept);
    kept.write('host: x\r\n\r\n');
    const { status, headers, body } = toRawAnswer(await refused);
    expect([status, headers.get('connection'), JSON.parse(body)]).toEqual([
      503,
      'close',
      { error: 'ServiceUnavailable', message: 'Service unavailable' },
    ]);
    held.resolve('done');
    expect((await underWay).status).toBe(200);
    await stopped;
  });

  it('ends after its grace, and fires the signal of what is still under way', async () => {
    const aborted = defer<unknown>();
    const started = defer();
    const handler = capability.withContext<{ readonly signal: AbortSignal }>()(
      (_input, { signal }) => {
        signal.addEventListener('abort', () => aborted.resolve(signal.reason));
        started.resolve();
        return new Promise(() => {});
      },
    );
    const { server, url } = await startOverSocket({ capabilities: { jobs: { getJobs: handler } } });
    const answer = fetch(`${url}/jobs`);
    answer.catch(() => {});
    await started.promise;
    await server.stop({ graceMs: 30 });
    await expect(answer).rejects.toThrow();
    expect(await aborted.promise).toMatchObject({ name: 'AbortError' });
  });

  it('does not wait for connections without a request', async () => {
    const { server, url, request } = await startOverSocket({ capabilities: { items } });
    const silent = openRaw(url);
    await once(silent, 'connect');
    await request('/items');
    const closed = readAll(silent);
    await server.stop({ graceMs: 60_000 });
    expect(await closed).toBe('');
  });

  it('can be followed by another start', async () => {
    const { server } = await startOverSocket({ capabilities: { items } });
    await server.stop();
    const [again] = await server.start();
    expect((await fetch(`${again?.url}/items`)).status).toBe(200);
  });

  it('is nothing for a server that was not started', async () => {
    const log = recordLog();
    const server = createServer({
      capabilities: { items },
      transports: [restTransport()],
      logger: log,
    });
    expect(await server.stop()).toBeUndefined();
    expect(log.errors).toEqual([]);
  });
});
