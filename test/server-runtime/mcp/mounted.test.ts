import { once } from 'node:events';
import { createServer as createHttpServer, type Server as HttpServer } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { capability, createServer, silentLogger, toNodeHandler } from '../../../server-runtime/index.ts';
import { type McpOptions, mcpTransport } from '../../../server-runtime/mcp/index.ts';
import { connectToUrl } from '../../helpers/connect-to-tools.ts';
import { localhost } from '../../helpers/localhost-certificate.ts';
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
  body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: {} } }),
});

describe('mcpTransport on a server of the application', () => {
  it('gets the requests at its path; the listeners of the server get the others', async () => {
    const own = createHttpServer((request, response) => response.end(`mine: ${request.url}`));
    const url = await listen(own);
    const server = createServer({
      capabilities: { jobs },
      transports: [mcpTransport({ server: own })],
      logger: silentLogger,
    });
    expect(await server.start()).toEqual([{ url: `${url}/mcp`, routes: [] }]);
    const client = await connectToUrl(`${url}/mcp`);
    expect((await client.callTool({ name: 'jobs_getJob', arguments: {} })).structuredContent).toEqual({
      data: 'a job',
    });
    expect(await (await fetch(`${url}/mcp/more?a=1`)).text()).toBe('mine: /mcp/more?a=1');
    await client.close();

    await server.stop();
    expect(await (await fetch(`${url}/mcp`)).text()).toBe('mine: /mcp');
  });

  it('goes together with the REST API on one port', async () => {
    const own = createHttpServer();
    const url = await listen(own);
    const transports = [mcpTransport({ server: own })];
    const server = createServer({ capabilities: { jobs }, transports, logger: silentLogger });
    own.on('request', toNodeHandler(server));
    await server.start();
    onTestFinished(() => server.stop({ graceMs: 0 }));
    expect(await readMessage(fetch(`${url}/mcp`, call('jobs_getJob')))).toMatchObject({
      result: { structuredContent: { data: 'a job' } },
    });
    expect(await (await fetch(`${url}/jobs`)).json()).toEqual({ data: 'a job' });
    expect((await fetch(`${url}/mcp`)).status).toBe(405);
  });

  it('may share a server with another one, at another path', async () => {
    const own = createHttpServer((_request, response) => response.end('mine'));
    const url = await listen(own);
    const other = mcpTransport({
      server: own,
      path: '/admin/mcp',
      capabilities: { admin: { getStats: capability(() => 7) } },
    });
    const first = createServer({
      capabilities: { jobs },
      transports: [mcpTransport({ server: own })],
      logger: silentLogger,
    });
    const second = createServer({ transports: [other], logger: silentLogger });
    await first.start();
    await second.start();
    await first.stop();
    expect(await (await fetch(`${url}/mcp`)).text()).toBe('mine');
    expect(await readMessage(fetch(`${url}/admin/mcp`, call('admin_getStats')))).toMatchObject({
      result: { structuredContent: { data: 7 } },
    });
    await second.stop();
    expect(await (await fetch(`${url}/admin/mcp`)).text()).toBe('mine');
  });

  it('says its address with https, and none before the server listens', async () => {
    const secure = createHttpsServer(localhost);
    const url = (await listen(secure as unknown as HttpServer)).replace('http:', 'https:');
    const own = createHttpServer();
    const server = createServer({
      capabilities: { jobs },
      transports: [mcpTransport({ server: secure as unknown as HttpServer }), mcpTransport({ server: own })],
      logger: silentLogger,
    });
    expect(await server.start()).toEqual([{ url: `${url}/mcp`, routes: [] }, { routes: [] }]);
    await server.stop();
  });

  it('refuses the names that it was not told', async () => {
    const own = createHttpServer();
    const url = await listen(own);
    const server = createServer({
      capabilities: { jobs },
      transports: [mcpTransport({ server: own })],
      logger: silentLogger,
    });
    await server.start();
    onTestFinished(() => server.stop());
    const socket = openRaw(url.replace('localhost', '127.0.0.1'));
    socket.write('POST /mcp HTTP/1.1\r\nhost: evil.example\r\ncontent-length: 0\r\nconnection: close\r\n\r\n');
    expect(await readAll(socket)).toMatch(/^HTTP\/1\.1 403 .*Name it in allowedHosts/s);
  });
});

describe('stop', () => {
  const toOptions = async (kind: string): Promise<McpOptions> => {
    if (kind !== 'of the application') return { port: 0 };
    const own = createHttpServer();
    await listen(own);
    return { server: own };
  };

  it.each([['of its own'], ['of the application']])(
    'lets a call under way end, and is prompt then: on a server %s',
    async (kind) => {
      const held = defer<string>();
      const started = defer();
      const getJob = capability(() => {
        started.resolve();
        return held.promise;
      });
      const server = createServer({
        capabilities: { jobs: { getJob } },
        transports: [mcpTransport(await toOptions(kind))],
        logger: silentLogger,
      });
      const [running] = await server.start();
      const silent = openRaw((running?.url ?? '').replace('localhost', '127.0.0.1'));
      await once(silent, 'connect');
      onTestFinished(() => void silent.destroy());
      const answer = fetch(running?.url ?? '', call('jobs_getJob'));
      await started.promise;
      const stopped = server.stop({ graceMs: 600_000 });
      held.resolve('done');
      expect(await readMessage(answer)).toMatchObject({ result: { structuredContent: { data: 'done' } } });
      await stopped;
    },
  );

  it.each([['of its own'], ['of the application']])(
    'breaks a call off after the grace, and fires its signal: on a server %s',
    async (kind) => {
      const aborted = defer<unknown>();
      const started = defer();
      const getJob = capability.withContext<{ readonly signal: AbortSignal }>()((_input, { signal }) => {
        signal.addEventListener('abort', () => aborted.resolve(signal.reason));
        started.resolve();
        return new Promise(() => {});
      });
      const server = createServer({
        capabilities: { jobs: { getJob } },
        transports: [mcpTransport(await toOptions(kind))],
        logger: silentLogger,
      });
      const [running] = await server.start();
      const answer = fetch(running?.url ?? '', call('jobs_getJob'));
      answer.catch(() => {});
      await started.promise;
      await server.stop({ graceMs: 20 });
      await expect(answer).rejects.toThrow();
      expect(await aborted.promise).toMatchObject({ name: 'AbortError' });
    },
  );
});
