import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { expectVersion, findVersion } from '../../../server-runtime/http/sockets/ws-version.ts';
import {
  capability,
  createServer,
  restTransport,
  silentLogger,
  sse,
  toNodeHandler,
} from '../../../server-runtime/index.ts';
import { webSocketTransport } from '../../../server-runtime/websocket/index.ts';
import { findFreePort } from '../../helpers/find-free-port.ts';
import { openRaw, readAll } from '../../helpers/raw-http.ts';
import { defer, recordLog } from '../../helpers/start-rest.ts';
import { openTalk, startSockets, startTalk, type Talk } from '../../helpers/start-web-sockets.ts';

/** Handlers that wait for the test, by the number of the call. */
function createHeld() {
  const begun: (() => void)[] = [];
  const hold = defer<string>();
  let started = 0;
  const getHeld = capability(async (_input: unknown, { signal }) => {
    started++;
    begun.splice(0).forEach((each) => each());
    return Promise.race([hold.promise, once(signal, 'abort').then(() => 'aborted')]);
  });
  const getPing = capability(() => 'pong');
  const untilBegun = async (count: number): Promise<void> => {
    while (started < count) await new Promise<void>((resolve) => begun.push(resolve));
  };
  return {
    capabilities: { jobs: { getHeld, findPing: getPing } },
    hold,
    untilBegun,
    count: () => started,
  };
}

describe('the limits of a WebSocket', () => {
  it('51 the 101st call is 429, and $/cancel still works', async () => {
    const { capabilities, untilBegun } = createHeld();
    const talk = await (await startSockets({ capabilities })).open();
    for (let sent = 0; sent < 100; sent++) talk.call('jobs.getHeld');
    await untilBegun(100);
    expect(await talk.ask('jobs.findPing')).toEqual({
      jsonrpc: '2.0',
      id: 101,
      error: {
        code: 429,
        message: 'At most 100 calls may be open at a time',
        data: { error: 'TooManyRequests', status: 429 },
      },
    });
    talk.send({ method: '$/cancel', params: { id: 1 } });
    talk.send({ id: 'p', method: '$/ping' });
    expect(await talk.next()).toEqual({ jsonrpc: '2.0', id: 'p', result: null });
    expect(await talk.ask('jobs.findPing')).toMatchObject({ result: 'pong' });
  });

  it('a call counts until its code has ended, whoever has cancelled it', async () => {
    const hold = defer();
    const getStubborn = capability(() => hold.promise);
    const { open } = await startSockets({
      capabilities: { jobs: { getStubborn } },
      socket: { limits: { calls: 1 } },
    });
    const talk = await open();
    const id = talk.call('jobs.getStubborn');
    talk.send({ method: '$/cancel', params: { id } });
    expect(await talk.ask('jobs.getStubborn')).toMatchObject({ error: { code: 429 } });
    hold.resolve();
    await hold.promise;
    expect(await talk.ask('jobs.getStubborn')).toMatchObject({ result: null });
  });

  it('52 more calls in a second than may be wait, and none is lost', async () => {
    const { capabilities } = createHeld();
    const { open } = await startSockets({
      capabilities,
      socket: { limits: { callsPerSecond: 50 } },
    });
    const talk = await open();
    const startedAtMs = performance.now();
    for (let sent = 0; sent < 80; sent++) talk.call('jobs.findPing');
    for (let id = 1; id <= 80; id++)
      expect(await talk.next()).toMatchObject({ id, result: 'pong' });
    expect(performance.now() - startedAtMs).toBeGreaterThan(500);
  });

  it('53 who answers no ping is gone after two', async () => {
    const { capabilities, untilBegun } = createHeld();
    const { open } = await startSockets({ capabilities, socket: { limits: { pingMs: 500 } } });
    const talk = await open({ autoPong: false });
    const other = await open();
    talk.call('jobs.getHeld');
    await untilBegun(1);
    expect(await talk.closed).toEqual({ code: 1006, reason: '' });
    expect(await other.ask('jobs.findPing')).toMatchObject({ result: 'pong' });
  });

  it('54 an idle connection stays for longer than slowReaderMs, and one that reads nothing does not', async () => {
    const getMuch = capability(() => 'x'.repeat(900_000));
    const ended = defer();
    const getEnd = capability(async (_input: unknown, { signal }: { signal: AbortSignal }) => {
      await once(signal, 'abort');
      ended.resolve();
    });
    const { open } = await startSockets({
      capabilities: { jobs: { getMuch, getEnd } },
      socket: { limits: { slowReaderMs: 100 } },
    });
    const [idle, slow] = [await open(), await open()];
    slow.webSocket.pause();
    slow.call('jobs.getEnd');
    for (let sent = 0; sent < 20; sent++) slow.call('jobs.getMuch');
    const closed = once(slow.webSocket, 'close');
    await ended.promise;
    slow.webSocket.resume();
    await closed;
    expect(await idle.ask('jobs.getMuch')).toMatchObject({ id: 1 });
  });

  it('an idle connection is closed after idleMs, but not with an open call', async () => {
    const { capabilities, hold, untilBegun } = createHeld();
    const { open } = await startSockets({ capabilities, socket: { limits: { idleMs: 60 } } });
    const talk = await open();
    talk.call('jobs.getHeld');
    await untilBegun(1);
    await new Promise((resolve) => setTimeout(resolve, 150));
    hold.resolve('done');
    expect(await talk.next()).toMatchObject({ result: 'done' });
    expect(await talk.closed).toEqual({ code: 1001, reason: 'Idle' });
  });

  it('more connections of an address than may be are closed with 1013, or refused with 429', async () => {
    const { capabilities } = createHeld();
    const { open, url } = await startSockets({
      capabilities,
      socket: { limits: { connections: 1 } },
    });
    const first = await open();
    const second = await open({ protocols: 'capix.v1' });
    expect(await second.closed).toMatchObject({ code: 1013 });
    expect(await startTalk(url).refused).toMatchObject({ status: 429 });
    first.webSocket.close();
    await first.closed;
    expect(await (await open()).ask('jobs.findPing')).toMatchObject({ result: 'pong' });
  });
});

describe('the stop of a server with WebSockets', () => {
  it('55 tells its clients, ends streams, lets calls finish, and closes with 1001', async () => {
    const { capabilities, hold, untilBegun } = createHeld();
    const getFeed = capability(async function* (
      _input: unknown,
      { signal }: { signal: AbortSignal },
    ) {
      yield sse(1, { id: 'one' });
      await once(signal, 'abort');
    });
    const { open, server } = await startSockets({
      capabilities: { ...capabilities, feed: { getFeed } },
    });
    const [talk, idle] = [await open(), await open()];
    talk.call('feed.getFeed');
    talk.call('jobs.getHeld');
    await Promise.all([talk.next(), untilBegun(1)]);
    const stopped = server.stop({ graceMs: 20_000 });
    expect(await talk.next()).toEqual({
      jsonrpc: '2.0',
      method: '$/goaway',
      params: { reason: 'stop' },
    });
    const leaving = {
      code: 503,
      message: 'The server is stopping',
      data: { error: 'ServiceUnavailable', status: 503, moves: true },
    };
    expect(await talk.next()).toEqual({ jsonrpc: '2.0', id: 1, error: leaving });
    talk.call('jobs.findPing');
    expect(await talk.next()).toEqual({ jsonrpc: '2.0', id: 3, error: leaving });
    expect(await idle.closed).toEqual({ code: 1001, reason: 'stop' });
    hold.resolve('done');
    expect(await talk.next()).toEqual({ jsonrpc: '2.0', id: 2, result: 'done' });
    expect(await talk.closed).toEqual({ code: 1001, reason: 'stop' });
    await stopped;
  });

  it('55 ends the calls that are still open after the grace', async () => {
    const { capabilities, untilBegun } = createHeld();
    const { open, server } = await startSockets({ capabilities });
    const talk = await open();
    talk.call('jobs.getHeld');
    await untilBegun(1);
    await server.stop({ graceMs: 50 });
    expect(await talk.closed).toMatchObject({ code: 1006 });
  });

  it('55 does not run what comes behind its close frame', async () => {
    const { capabilities, count } = createHeld();
    const { open, server } = await startSockets({ capabilities });
    const talk = await open();
    const stopped = server.stop();
    talk.call('jobs.getHeld');
    expect(await talk.closed).toMatchObject({ code: 1001 });
    await stopped;
    expect(count()).toBe(0);
  });

  it('56 ends with an upgrade on a connection that was used', async () => {
    const { capabilities } = createHeld();
    const { url, server } = await startSockets({ capabilities });
    const socket = openRaw(url.replace('ws', 'http'));
    socket.write('GET /nothing HTTP/1.1\r\nhost: a\r\n\r\n');
    await once(socket, 'data');
    const key = `sec-websocket-key: ${Buffer.alloc(16).toString('base64')}`;
    const head = ['connection: upgrade', 'upgrade: websocket', 'sec-websocket-version: 13', key];
    socket.write(['GET /_call HTTP/1.1', 'host: a', ...head, '', ''].join('\r\n'));
    const [answer] = (await once(socket, 'data')) as [Buffer];
    expect(answer.toString()).toContain('101');
    const startedAtMs = performance.now();
    const all = readAll(socket);
    await server.stop({ graceMs: 20_000 });
    await all;
    expect(performance.now() - startedAtMs).toBeLessThan(10_000);
  });

  it('starts again after it', async () => {
    const { capabilities } = createHeld();
    const { open, server } = await startSockets({ capabilities });
    const talk: Talk = await open();
    await server.stop();
    expect(await talk.closed).toMatchObject({ code: 1001 });
    const [started] = await server.start();
    const again = await openTalk((started?.url ?? '').replace('http', 'ws'));
    expect(await again.ask('jobs.findPing')).toMatchObject({ result: 'pong' });
  });

  it('answers 503 while its other transports start', async () => {
    const hold = defer();
    const slow = {
      name: 'slow',
      start: () => hold.promise.then(() => ({ routes: [] })),
      stop: async () => {},
    };
    const port = await findFreePort();
    const { capabilities } = createHeld();
    const server = createServer({
      capabilities,
      transports: [restTransport({ port }), webSocketTransport(), slow],
      logger: silentLogger,
    });
    const started = server.start();
    const url = `ws://localhost:${port}`;
    let refusal = await Promise.race([startTalk(url).refused, startTalk(url).closed]);
    while (!('status' in refusal))
      refusal = await Promise.race([startTalk(url).refused, startTalk(url).closed]);
    expect(refusal).toMatchObject({ status: 503 });
    hold.resolve();
    await started;
    expect(await (await openTalk(url)).ask('jobs.findPing')).toMatchObject({ result: 'pong' });
    await server.stop();
  });
});

describe('webSocketTransport', () => {
  it('closes a connection where its host cannot say who may connect, and the server lives', async () => {
    const log = recordLog();
    const { capabilities } = createHeld();
    const server = createServer({ capabilities, transports: [webSocketTransport()], logger: log });
    const handler = toNodeHandler(server, { cors: { origin: undefined } });
    await server.start();
    onTestFinished(() => server.stop({ graceMs: 0 }));
    const http = createHttpServer(handler).listen(0, '127.0.0.1');
    onTestFinished(() => void http.close());
    handler.takeUpgrades(http);
    await once(http, 'listening');
    const url = `ws://127.0.0.1:${(http.address() as AddressInfo).port}`;
    expect(await startTalk(url).closed).toMatchObject({ code: 1006 });
    expect(log.errors).toMatchObject([{ message: '[capix] A connection could not be opened' }]);
  });

  it('names an option that cannot be', () => {
    const cases: readonly (readonly [object, string])[] = [
      [{ pth: 1 }, 'webSocketTransport has no option `pth`. Did you mean `path`?'],
      [{ path: '/' }, "webSocketTransport path: expected a path such as '/_call', got '/'."],
      [{ path: '/:a' }, 'prefix: expected a path'],
      [
        { guards: undefined },
        'webSocketTransport guards: expected a list of what defineGuard(…) makes',
      ],
      [{ guards: [1] }, 'webSocketTransport guards: expected a list of what defineGuard(…) makes'],
      [{ recheckMs: -1 }, 'webSocketTransport recheckMs'],
      [
        { limits: { call: 1 } },
        'webSocketTransport({limits}) has no option `call`. Did you mean `calls`?',
      ],
      [
        { limits: { calls: 0 } },
        'webSocketTransport limits.calls: expected an integer of at least 1, got 0.',
      ],
      [{ limits: { pingMs: 0 } }, 'webSocketTransport limits.pingMs'],
    ];
    for (const [options, message] of cases)
      expect(() => webSocketTransport(options)).toThrow(message);
  });

  it('names the version of ws that it needs', () => {
    expect(() => expectVersion('8.20.1')).toThrow(
      'webSocketTransport needs ws 8.21 or newer, and finds 8.20.1: npm install ws@^8.21',
    );
    expect(() => expectVersion('7.5.0')).toThrow('npm install ws@^8.21');
    for (const version of [undefined, '8.21.0', '8.23.0', '9.0.0']) expectVersion(version);
    expect(findVersion()).toMatch(/^8\.\d+/);
  });

  it('needs a transport that listens', async () => {
    const server = createServer({ transports: [webSocketTransport()] });
    await expect(server.start()).rejects.toThrow('The transport websocket has no port of its own');
  });

  it('compresses where that is wanted', async () => {
    const getText = capability(() => 'x'.repeat(100_000));
    const { open } = await startSockets({
      capabilities: { texts: { getText } },
      socket: { compression: true, path: '/live' },
    });
    const talk = await open({ path: '/live' });
    expect(talk.webSocket.extensions).toContain('permessage-deflate');
    expect((await talk.ask('texts.getText')).result).toHaveLength(100_000);
    // A message of a few kilobytes that is two megabytes.
    talk.webSocket.send('x'.repeat(2 * 1024 * 1024));
    expect(await talk.closed).toMatchObject({ code: 1009 });
  });
});
