import { once } from 'node:events';
import { createServer as createHttpServer, type Server as HttpServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  capability,
  createServer,
  type RestOptions,
  restTransport,
  type Server,
} from '../../../server-runtime/index.ts';
import { mcpTransport } from '../../../server-runtime/mcp/index.ts';
import { defer, recordLog } from '../../helpers/start-rest.ts';

const jobs = { listJobs: capability(() => ['a job']), createJob: capability((input) => input) };

async function listen(listener?: RequestListener): Promise<{ readonly own: HttpServer; readonly url: string }> {
  const own = createHttpServer(listener);
  own.listen(0, '127.0.0.1');
  await once(own, 'listening');
  onTestFinished(() => {
    own.close();
    own.closeAllConnections();
  });
  return { own, url: `http://127.0.0.1:${(own.address() as AddressInfo).port}` };
}

async function start(own: HttpServer, { capabilities = { jobs }, ...rest }: RestOptions = {}): Promise<Server> {
  const server = createServer({
    capabilities,
    transports: [restTransport({ server: own, ...rest })],
    logger: recordLog(),
  });
  await server.start();
  onTestFinished(() => server.stop({ graceMs: 0 }));
  return server;
}

async function ask(url: string, path: string, init?: RequestInit): Promise<readonly [status: number, text: string]> {
  const response = await fetch(url + path, init);
  return [response.status, await response.text()];
}

/** Answers everything, as the application of a framework does. */
const mine: RequestListener = (request, response) => {
  void text(request).then((body) =>
    response.writeHead(210).end(`mine: ${request.method} ${request.url} ${body}`.trim()),
  );
};

describe('restTransport on a server that has another listener', () => {
  it.each([
    ['before', true],
    ['after', false],
  ])('answers what is for a capability; the listener that was there %s it gets the rest', async (_when, isFirst) => {
    const { own, url } = await listen(isFirst ? mine : undefined);
    await start(own);
    if (!isFirst) own.on('request', mine);
    expect(await ask(url, '/jobs')).toEqual([200, '{"data":["a job"]}']);
    expect(await ask(url, '/jobs?a=1', { method: 'HEAD' })).toEqual([200, '']);
    expect((await ask(url, '/jobs', { method: 'OPTIONS' }))[0]).toBe(204);
    expect(await ask(url, '/hello?a=1')).toEqual([210, 'mine: GET /hello?a=1']);
    expect(await ask(url, '/jobs/%ff')).toEqual([210, 'mine: GET /jobs/%ff']);
    expect(await ask(url, '/hello', { method: 'OPTIONS' })).toEqual([210, 'mine: OPTIONS /hello']);
    expect(await ask(url, '/jobs', { method: 'PUT', body: 'a body' })).toEqual([210, 'mine: PUT /jobs a body']);
    const json = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"a":1}' };
    expect(await ask(url, '/jobs', json)).toEqual([200, '{"data":{"a":1}}']);
  });

  it('answers its pages', async () => {
    const { own, url } = await listen(mine);
    await start(own, { docs: true });
    expect(await ask(url, '/openapi.json')).toEqual([200, expect.stringContaining('"openapi"')]);
    expect(await ask(url, '/docs')).toEqual([200, expect.stringContaining('<html')]);
    expect(await ask(url, '/docs', { method: 'POST' })).toEqual([210, 'mine: POST /docs']);
  });

  it('leaves the others alone while it stops, and gives the server back', async () => {
    const { own, url } = await listen(mine);
    const held = defer<string>();
    const started = defer();
    const listJobs = capability(() => {
      started.resolve();
      return held.promise;
    });
    const server = await start(own, { capabilities: { jobs: { listJobs } } });
    const answer = ask(url, '/jobs');
    await started.promise;
    const stopped = server.stop();
    expect((await ask(url, '/jobs'))[0]).toBe(503);
    expect(await ask(url, '/hello')).toEqual([210, 'mine: GET /hello']);
    held.resolve('done');
    expect(await answer).toEqual([200, '{"data":"done"}']);
    await stopped;
    expect(await ask(url, '/jobs')).toEqual([210, 'mine: GET /jobs']);
  });

  it('goes together with others of its kind, and with agents', async () => {
    const { own, url } = await listen(mine);
    const first = await start(own);
    await start(own, { capabilities: { users: { listUsers: capability(() => ['a user']) } } });
    const tools = createServer({
      capabilities: { jobs },
      transports: [mcpTransport({ server: own })],
      logger: recordLog(),
    });
    await tools.start();
    onTestFinished(() => tools.stop({ graceMs: 0 }));
    const all = async () =>
      (await Promise.all(['/jobs', '/users', '/mcp', '/hello'].map((path) => ask(url, path)))).map(
        ([status]) => status,
      );
    expect(await all()).toEqual([200, 200, 405, 210]);
    await first.stop();
    expect(await all()).toEqual([210, 200, 405, 210]);
  });
});

describe('restTransport on a server that has no other listener', () => {
  it('answers everything', async () => {
    const { own, url } = await listen();
    await start(own);
    await start(own, { capabilities: { users: { listUsers: capability(() => ['a user']) } } });
    expect(await ask(url, '/users')).toEqual([200, '{"data":["a user"]}']);
    expect(await ask(url, '/jobs')).toEqual([200, '{"data":["a job"]}']);
    expect(await ask(url, '/hello')).toEqual([404, '{"error":"NotFound","message":"Not found"}']);
    expect((await ask(url, '/jobs', { method: 'PUT' }))[0]).toBe(405);
    expect((await ask(url, '/hello', { method: 'OPTIONS' }))[0]).toBe(204);
  });
});
