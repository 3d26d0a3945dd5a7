import { once } from 'node:events';
import { createServer as createHttpServer, type Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import {
  capability,
  createServer,
  restTransport,
  type Server,
  silentLogger,
  type Transport,
  toFetchHandler,
  toNodeHandler,
} from '../../../server-runtime/index.ts';
import { mcpTransport } from '../../../server-runtime/mcp/index.ts';
import { echoTransport } from '../../helpers/echo-transport.ts';
import { localhost } from '../../helpers/localhost-certificate.ts';
import { openRaw, readAll, readAnswers } from '../../helpers/raw-http.ts';
import { defer, json, recordLog } from '../../helpers/start-rest.ts';

const items = {
  getItem: capability(() => 'an item'),
  createItem: capability((input) => ({ created: input })),
};

interface Running {
  readonly server: Server;
  readonly url: string;
}

async function startWith(...guests: readonly Transport[]): Promise<Running> {
  const transports = [restTransport({ port: 0 }), ...guests];
  const server = createServer({ capabilities: { items }, transports, logger: silentLogger });
  onTestFinished(() => server.stop({ graceMs: 0 }));
  const [started] = await server.start();
  return { server, url: started?.url ?? '' };
}

async function openWebSocket(url: string, path = '/echo'): Promise<WebSocket> {
  const webSocket = new WebSocket(url.replace('http', 'ws') + path);
  onTestFinished(() => webSocket.terminate());
  await once(webSocket, 'open');
  return webSocket;
}

async function ask(webSocket: WebSocket, text: string): Promise<string> {
  webSocket.send(text);
  const [data] = (await once(webSocket, 'message')) as [Buffer];
  return data.toString();
}

describe('a transport without a port of its own', () => {
  it('is served by the one that listens: its requests, and its upgrades', async () => {
    const { url } = await startWith(echoTransport());
    expect(await (await fetch(`${url}/echo?a=1`)).text()).toBe('echo over node');
    expect(await ask(await openWebSocket(url), 'ä')).toBe('echo ä');
    expect(await (await fetch(`${url}/items`)).json()).toEqual({ data: 'an item' });
  });

  it('may be MCP, which was not found there', async () => {
    const { url } = await startWith(mcpTransport({ port: false }));
    expect((await fetch(`${url}/mcp`)).status).toBe(405);
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'items_getItem' } };
    const { headers, ...init } = json(call);
    const accept = 'application/json, text/event-stream';
    const answer = await fetch(`${url}/mcp`, { ...init, headers: { ...headers, accept } });
    expect(await answer.text()).toContain('an item');
  });

  it('is one of several, each at its own path', async () => {
    const { url } = await startWith(echoTransport('/a'), echoTransport('/b'));
    const [first, second] = [await openWebSocket(url, '/a'), await openWebSocket(url, '/b')];
    expect([await ask(first, '1'), await ask(second, '2')]).toEqual(['echo 1', 'echo 2']);
  });

  it('is served by toNodeHandler, with its upgrades where that is told of the server', async () => {
    const server = createServer({
      capabilities: { items },
      transports: [echoTransport()],
      logger: silentLogger,
    });
    const handler = toNodeHandler(server);
    await server.start();
    onTestFinished(() => server.stop({ graceMs: 0 }));
    const http = createHttpServer(handler);
    handler.takeUpgrades(http);
    const url = await listen(http);
    expect(await (await fetch(`${url}/echo`)).text()).toBe('echo over node');
    expect(await ask(await openWebSocket(url), '1')).toBe('echo 1');
    expect(await readPlain(url, 'GET /items')).toMatchObject({ body: '{"data":"an item"}' });
  });

  it('leaves upgrades to other listeners of the server', async () => {
    const server = createServer({ transports: [echoTransport()], logger: silentLogger });
    const handler = toNodeHandler(server);
    const http = createHttpServer(handler);
    handler.takeUpgrades(http);
    http.on('upgrade', ({ url }, socket) => {
      if (url === '/mine') socket.end('HTTP/1.1 101 Mine\r\n\r\n');
    });
    await server.start();
    const socket = openRaw(await listen(http));
    socket.write(toUpgrade('GET /mine'));
    expect(await readAll(socket)).toContain('101 Mine');
  });

  it('is served by toFetchHandler', async () => {
    const server = createServer({
      capabilities: { items },
      transports: [echoTransport()],
      logger: silentLogger,
    });
    const answer = toFetchHandler(server);
    await server.start();
    onTestFinished(() => server.stop());
    expect(await (await answer(new Request('http://a.example/echo'))).text()).toBe(
      'echo over fetch',
    );
    expect((await answer(new Request('http://a.example/items'))).status).toBe(200);
  });

  it('keeps a server from starting where nobody listens, and leaves nothing open', async () => {
    const queue = echoTransport('/other');
    const server = createServer({
      capabilities: { items },
      transports: [queue, mcpTransport({ port: false })],
      logger: silentLogger,
    });
    await expect(server.start()).rejects.toThrow(
      'The transports echo and mcp have no port of their own, and none of this server listens for them. Add ' +
        'restTransport() to its transports, or make toNodeHandler(server) or toFetchHandler(server) before start().',
    );
  });

  it('that throws is a 500 and a line of the log, and the server lives', async () => {
    const fault = new Error('broken');
    const broken: Transport = {
      name: 'broken',
      start: async () => ({ routes: [] }),
      take: ({ url }) => {
        if (url === '/take') throw fault;
        return false;
      },
      fetch: () => Promise.reject(fault),
      upgrade: ({ url }) => {
        if (url === '/claim') throw fault;
        return () => {
          throw fault;
        };
      },
      stop: async () => {},
    };
    const log = recordLog();
    const transports = [restTransport({ port: 0 }), broken];
    const server = createServer({ capabilities: { items }, transports, logger: log });
    const [started] = await server.start();
    onTestFinished(() => server.stop({ graceMs: 0 }));
    const url = started?.url ?? '';
    expect((await fetch(`${url}/take`)).status).toBe(500);
    expect((await toFetchHandler(server)(new Request('http://a.example/'))).status).toBe(500);
    expect((await readPlain(url, 'GET /claim')).status).toBe(404);
    const socket = openRaw(url);
    socket.write(toUpgrade('GET /taken'));
    expect(await readAll(socket)).toBe('');
    expect(log.errors.map(({ error }) => error)).toEqual([fault, fault, fault, fault]);
    expect((await fetch(`${url}/items`)).status).toBe(200);
  });
});

describe('MCP at the port of the API', () => {
  const accept = 'application/json, text/event-stream';
  const call = (id: number, method: string, params: object): RequestInit => {
    const { headers, ...init } = json({ jsonrpc: '2.0', id, method, params });
    return { ...init, headers: { ...headers, accept } };
  };

  it('finishes the call that runs when the server stops, and ends what has no end', async () => {
    const begun = defer();
    const held = defer<string>();
    const getJob = capability(() => {
      begun.resolve();
      return held.promise;
    });
    const transports = [restTransport({ port: 0 }), mcpTransport({ port: false })];
    const server = createServer({
      capabilities: { jobs: { getJob } },
      transports,
      logger: silentLogger,
    });
    const [started] = await server.start();
    const url = `${started?.url}/mcp`;
    const clientInfo = { name: 'test', version: '1' };
    const opening = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
    const opened = await fetch(url, call(1, 'initialize', opening));
    await opened.text();
    const session = opened.headers.get('mcp-session-id') ?? '';
    // Its head comes with its first event.
    const listening = fetch(url, { headers: { accept, 'mcp-session-id': session } });
    const answer = fetch(url, call(2, 'tools/call', { name: 'jobs_getJob' }));
    await begun.promise;
    const stopped = server.stop({ graceMs: 20_000 });
    expect(await (await listening).text()).toBe('');
    held.resolve('done');
    expect(await (await answer).text()).toContain('done');
    await stopped;
  });
});

describe('over TLS', () => {
  it('upgrades are taken, and plain requests where nobody claims them, and stop ends both', async () => {
    const transports = [restTransport({ port: 0, https: localhost }), echoTransport()];
    const server = createServer({ capabilities: { items }, transports, logger: silentLogger });
    const [started] = await server.start();
    const { port } = new URL(started?.url ?? '');
    const webSocket = new WebSocket(`wss://localhost:${port}/echo`, { ca: localhost.cert });
    await once(webSocket, 'open');
    expect(await ask(webSocket, 'safe')).toBe('echo safe');
    const socket = connectTls({ port: Number(port), host: 'localhost', ca: localhost.cert });
    socket.write(toUpgrade('POST /items', '{"a":1}'));
    const [answer] = await readAnswers(socket, ['POST']);
    expect(answer?.body).toBe('{"data":{"created":{"a":1}}}');
    const closed = once(webSocket, 'close');
    await server.stop({ graceMs: 5000 });
    expect((await closed)[0]).toBe(1001);
  });
});

describe('an upgrade that nobody claims', () => {
  it.each([
    ['GET /items', undefined, '{"data":"an item"}'],
    ['POST /items', '{"a":1}', '{"data":{"created":{"a":1}}}'],
    ['GET /nowhere', undefined, '{"error":"NotFound","message":"Not found"}'],
  ])('is answered as a plain request: %s', async (line, body, answered) => {
    const { url } = await startWith(echoTransport());
    expect((await readPlain(url, line, body)).body).toBe(answered);
  });

  it('has its connection for more requests', async () => {
    const { url } = await startWith(echoTransport());
    const socket = openRaw(url);
    socket.write(toUpgrade('GET /items', undefined, 'h2c'));
    const [first] = await readAnswers(socket, ['GET']);
    socket.write('GET /items HTTP/1.1\r\nhost: a\r\n\r\n');
    const [second] = await readAnswers(socket, ['GET']);
    expect([first?.body, second?.body]).toEqual(['{"data":"an item"}', '{"data":"an item"}']);
    socket.destroy();
  });

  it('may come behind a request that is still answered', async () => {
    const { url } = await startWith(echoTransport());
    const socket = openRaw(url);
    socket.write(`GET /items HTTP/1.1\r\nhost: a\r\n\r\n${toUpgrade('GET /nowhere')}`);
    const answers = await readAnswers(socket, ['GET', 'GET']);
    expect(answers.map(({ status }) => status)).toEqual([200, 404]);
    socket.destroy();
  });
});

describe('a socket that was upgraded', () => {
  it('is ended by who took it when the server stops, and not cut', async () => {
    const { server, url } = await startWith(echoTransport());
    const webSocket = await openWebSocket(url);
    const closed = once(webSocket, 'close');
    await server.stop({ graceMs: 3000 });
    const [code, reason] = (await closed) as [number, Buffer];
    expect([code, String(reason)]).toEqual([1001, 'stop']);
  });

  it('has all of the grace to end, and not the time of an idle connection', async () => {
    const echo = echoTransport();
    const farewell = defer<string>();
    const slow: Transport = {
      ...echo,
      stop: async (options) => {
        await farewell.promise;
        return echo.stop(options);
      },
    };
    const { server, url } = await startWith(slow);
    const webSocket = await openWebSocket(url);
    setTimeout(() => void ask(webSocket, 'the last').then(farewell.resolve), 200);
    const closed = once(webSocket, 'close');
    await server.stop({ graceMs: 5000 });
    expect([await farewell.promise, (await closed)[0]]).toEqual(['echo the last', 1001]);
  });

  it('holds no stop up beyond its grace, also on a connection that was used before', async () => {
    const held: Transport = { ...echoTransport(), stop: async () => {} };
    const { server, url } = await startWith(held);
    const socket = openRaw(url);
    socket.write('GET /items HTTP/1.1\r\nhost: a\r\n\r\n');
    await readAnswers(socket, ['GET']);
    socket.write(toUpgrade('GET /echo'));
    await once(socket, 'data');
    const ended = readAll(socket);
    await server.stop({ graceMs: 300 });
    expect(await ended).toBe('');
  });

  it('stays beyond the limits of slow readers and idle connections', async () => {
    const transports = [
      restTransport({ port: 0, limits: { slowReaderMs: 40, keepAliveTimeoutMs: 20 } }),
      echoTransport(),
    ];
    const server = createServer({ capabilities: { items }, transports, logger: silentLogger });
    onTestFinished(() => server.stop({ graceMs: 0 }));
    const [started] = await server.start();
    const idle = openRaw(started?.url ?? '');
    const webSocket = await openWebSocket(started?.url ?? '');
    await readAll(idle);
    expect(await ask(webSocket, 'still')).toBe('echo still');
  });

  it('ends nothing where it breaks off before anybody listens to it', async () => {
    const silent: Transport = {
      name: 'silent',
      start: async () => ({ routes: [] }),
      upgrade: () => (socket) => void socket.destroy(new Error('gone')),
      stop: async () => {},
    };
    const { url } = await startWith(silent);
    const socket = openRaw(url);
    socket.write(toUpgrade('GET /echo'));
    await readAll(socket);
    expect((await fetch(`${url}/items`)).status).toBe(200);
  });
});

async function listen(server: HttpServer): Promise<string> {
  server.listen(0);
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://localhost:${(server.address() as AddressInfo).port}`;
}

const KEY = 'dGhlIHNhbXBsZSBub25jZQ==';

function toUpgrade(line: string, body?: string, protocol = 'websocket'): string {
  const length = body === undefined ? [] : [`content-length: ${body.length}`];
  const type = body === undefined ? [] : ['content-type: application/json'];
  const head = [
    `${line} HTTP/1.1`,
    'Host: localhost',
    'Connection: keep-alive, Upgrade',
    `Upgrade: ${protocol}`,
    `Sec-WebSocket-Key: ${KEY}`,
    'Sec-WebSocket-Version: 13',
    ...type,
    ...length,
  ];
  return `${head.join('\r\n')}\r\n\r\n${body ?? ''}`;
}

/** The answer to a request that asks for an upgrade. */
async function readPlain(url: string, line: string, body?: string) {
  const socket = openRaw(url);
  socket.write(toUpgrade(line, body));
  const [answer] = await readAnswers(socket, [line.split(' ')[0] ?? '']);
  socket.destroy();
  if (answer === undefined) throw new Error('There was no answer.');
  return answer;
}
