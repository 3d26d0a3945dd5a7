import { once } from 'node:events';
import { createServer as createHttpServer, type Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  capability,
  createServer,
  silentLogger as logger,
  type NodeHandler,
  type Server,
  toNodeHandler,
} from '../../../server-runtime/index.ts';
import { mcpTransport } from '../../../server-runtime/mcp/index.ts';
import { connectToUrl } from '../../helpers/connect-to-tools.ts';
import { openRaw, readAll } from '../../helpers/raw-http.ts';
import { defer } from '../../helpers/start-rest.ts';

async function listen(server: HttpServer): Promise<string> {
  server.listen(0);
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://localhost:${(server.address() as AddressInfo).port}`;
}

/** The message of an answer that is a stream. */
async function readMessage(response: Promise<Response>): Promise<unknown> {
  const [, data = ''] = /^data: (.+)$/m.exec(await (await response).text()) ?? [];
  return JSON.parse(data);
}

const jobs = { getJob: capability(() => 'a job') };
const call = (name: string): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
  body: JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name, arguments: {} },
  }),
});

describe('mcpTransport without a port of its own', () => {
  /** A server of the application with the handlers of these, one after the other. */
  const mount = (...servers: readonly Server[]): Promise<string> => {
    const handlers = servers.map((server) => toNodeHandler(server));
    const mine: NodeHandler = (request, response) => void response.end(`mine: ${request.url}`);
    const all = [...handlers, mine].reduceRight<NodeHandler>(
      (next, handle) => (request, response) =>
        handle(request, response, () => next(request, response)),
      () => {},
    );
    return listen(createHttpServer(all));
  };

  it('is answered by toNodeHandler, on one port with the REST API, which hands on what is for neither', async () => {
    const server = createServer({
      capabilities: { jobs },
      transports: [mcpTransport({ port: false })],
      logger,
    });
    const url = await mount(server);
    expect(await server.start()).toEqual([{ routes: [] }]);
    const client = await connectToUrl(`${url}/mcp`);
    expect(
      (await client.callTool({ name: 'jobs_getJob', arguments: {} })).structuredContent,
    ).toEqual({
      data: 'a job',
    });
    await client.close();
    expect(await readMessage(fetch(`${url}/mcp`, call('jobs_getJob')))).toMatchObject({
      result: { structuredContent: { data: 'a job' } },
    });
    expect(await (await fetch(`${url}/jobs`)).json()).toEqual({ data: 'a job' });
    expect((await fetch(`${url}/mcp`)).status).toBe(405);
    expect(await (await fetch(`${url}/mcp/more?a=1`)).text()).toBe('mine: /mcp/more?a=1');
    await server.stop();
    expect((await fetch(`${url}/mcp`)).status).toBe(503);
  });

  it('may share a port with another one, at another path', async () => {
    const admin = { admin: { getStats: capability(() => 7) } };
    const other = mcpTransport({ port: false, path: '/admin/mcp', capabilities: admin });
    const first = createServer({
      capabilities: { jobs },
      transports: [mcpTransport({ port: false })],
      logger,
    });
    const second = createServer({ transports: [other], logger });
    const url = await mount(first, second);
    expect(await (await fetch(`${url}/mcp`)).text()).toBe('mine: /mcp');
    await first.start();
    await second.start();
    expect((await fetch(`${url}/mcp`)).status).toBe(405);
    expect(await readMessage(fetch(`${url}/admin/mcp`, call('admin_getStats')))).toMatchObject({
      result: { structuredContent: { data: 7 } },
    });
  });

  it('refuses the names that it was not told', async () => {
    const server = createServer({
      capabilities: { jobs },
      transports: [mcpTransport({ port: false })],
      logger,
    });
    const url = await mount(server);
    await server.start();
    const socket = openRaw(url.replace('localhost', '127.0.0.1'));
    socket.write(
      'POST /mcp HTTP/1.1\r\nhost: evil.example\r\ncontent-length: 0\r\nconnection: close\r\n\r\n',
    );
    expect(await readAll(socket)).toMatch(/^HTTP\/1\.1 403 .*Name it in allowedHosts/s);
  });

  it('leaves the handler of another that has a port alone', async () => {
    const server = createServer({
      capabilities: { jobs },
      transports: [mcpTransport({ port: 0 })],
      logger,
    });
    await server.start();
    onTestFinished(() => server.stop({ graceMs: 0 }));
    expect(await (await fetch(`${await mount(server)}/mcp`)).text()).toBe('mine: /mcp');
  });
});

describe('stop', () => {
  it('lets a call under way end, and is prompt then', async () => {
    const held = defer<string>();
    const started = defer();
    const getJob = capability(() => {
      started.resolve();
      return held.promise;
    });
    const server = createServer({
      capabilities: { jobs: { getJob } },
      transports: [mcpTransport({ port: 0 })],
      logger,
    });
    const [running] = await server.start();
    const silent = openRaw((running?.url ?? '').replace('localhost', '127.0.0.1'));
    await once(silent, 'connect');
    onTestFinished(() => void silent.destroy());
    const answer = fetch(running?.url ?? '', call('jobs_getJob'));
    await started.promise;
    const stopped = server.stop({ graceMs: 600_000 });
    held.resolve('done');
    expect(await readMessage(answer)).toMatchObject({
      result: { structuredContent: { data: 'done' } },
    });
    await stopped;
  });

  it('breaks a call off after the grace, and fires its signal', async () => {
    const aborted = defer<unknown>();
    const started = defer();
    const getJob = capability.withContext<{ readonly signal: AbortSignal }>()(
      (_input, { signal }) => {
        signal.addEventListener('abort', () => aborted.resolve(signal.reason));
        started.resolve();
        return new Promise(() => {});
      },
    );
    const server = createServer({
      capabilities: { jobs: { getJob } },
      transports: [mcpTransport({ port: 0 })],
      logger,
    });
    const [running] = await server.start();
    const answer = fetch(running?.url ?? '', call('jobs_getJob'));
    answer.catch(() => {});
    await started.promise;
    await server.stop({ graceMs: 20 });
    await expect(answer).rejects.toThrow();
    expect(await aborted.promise).toMatchObject({ name: 'AbortError' });
  });
});
