import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';
import {
  capability,
  createServer,
  defaultErrors,
  defineContext,
  type GroupTree,
} from '../../server-runtime/index.ts';
import { packageRoot } from '../helpers/run-capix.ts';
import { defer, recordLog } from '../helpers/start-rest.ts';
import { lineTransport } from './transport-recipe/line-transport.ts';

const folder = join(packageRoot, 'test/docs/transport-recipe');

it.each(readdirSync(folder))('docs/transports.md shows %s as it is tested here', (name) => {
  const code = readFileSync(join(folder, name), 'utf8').replace(
    '../../../server-runtime/index.ts',
    'capix',
  );
  expect(readFileSync(join(packageRoot, 'docs/transports.md'), 'utf8')).toContain(
    `\`\`\`ts\n${code}\`\`\``,
  );
});

it('the transport of docs/transports.md has at most 40 lines of code', () => {
  const lines = readFileSync(join(folder, 'line-transport.ts'), 'utf8').split('\n');
  const ofCode = lines.filter((line) => line.trim() !== '' && !/^\s*(?:\/\/|\/\*|\*)/.test(line));
  expect(ofCode.length).toBeLessThanOrEqual(40);
});

it('the contract of a transport is a file of at most 120 lines', () => {
  const file = readFileSync(join(packageRoot, 'server-runtime/server/transport.ts'), 'utf8');
  expect(file.trimEnd().split('\n').length).toBeLessThanOrEqual(120);
});

it('answers a call, with its place, transport and request id', async () => {
  const { started, port } = await serve({ getFrom: capability((_input, ctx) => ctx) });
  expect(started?.routes).toEqual([
    { method: 'LINES', path: 'items.getFrom', key: 'items.getFrom' },
  ]);
  const caller = await connectTo(port);
  caller.send({ id: 1, capability: 'items.getFrom' });
  const { id, data, requestId } = (await caller.read()) ?? {};
  expect({ id, data }).toMatchObject({
    id: 1,
    data: { from: 'lines 127.0.0.1', requestId },
  });
});

it('takes nothing of a text but its id, capability and input', async () => {
  const getFrom = capability((_input, ctx) => ctx);
  const { port } = await serve({ getFrom });
  const caller = await connectTo(port);
  const headers = { 'x-request-id': 'of-the-text' };
  caller.send({ id: 1, capability: 'items.getFrom', headers, remoteAddress: '::1', place: 'a' });
  const { data, requestId } = (await caller.read()) ?? {};
  expect(data).toMatchObject({ from: 'lines 127.0.0.1' });
  expect(requestId).not.toBe('of-the-text');
});

it('answers each call of a connection when it has its answer, also one that came in pieces', async () => {
  const first = defer();
  const { port } = await serve({
    wait: capability(() => first.promise),
    getTwo: capability(() => 2),
  });
  const caller = await connectTo(port);
  caller.send({ id: 1, capability: 'items.wait' });
  caller.socket.write('{"id": 2, "capab');
  caller.socket.write('ility": "items.getTwo"}\n');
  expect(await caller.read()).toMatchObject({ id: 2, data: 2 });
  first.resolve();
  expect(await caller.read()).toMatchObject({ id: 1, data: null });
});

it.each([
  ['no JSON', 'hello', { error: 'BadRequest' }],
  ['JSON that is null', 'null', { error: 'BadRequest' }],
  ['JSON of another shape', { id: 1, capability: { toString: 1 } }, { error: 'BadRequest' }],
  [
    'an input that does not fit',
    { id: 1, capability: 'items.getItem', input: { id: 7 } },
    { id: 1, error: 'BadRequest', meta: { fields: [{ path: 'id' }] } },
  ],
  [
    'an error by name',
    { id: 1, capability: 'items.getItem', input: { id: '7' } },
    { id: 1, error: 'NotFound', message: 'There is no item 7' },
  ],
  [
    'no such capability',
    { id: ['any', null], capability: 'items.pay' },
    { id: ['any', null], error: 'NotFound' },
  ],
])('answers %s with an error that is not logged', async (_name, line, answer) => {
  const getItem = capability(z.object({ id: z.string() }), ({ id }) => {
    throw defaultErrors.NotFound(`There is no item ${id}`);
  });
  const { port, log } = await serve({ getItem });
  const caller = await connectTo(port);
  caller.send(line);
  expect(await caller.read()).toMatchObject(answer);
  expect(log.errors).toEqual([]);
});

it.each([
  [
    'a handler throws',
    capability(() => {
      throw new Error('secret');
    }),
  ],
  ['an answer is no JSON', capability(() => new Map())],
  [
    'an item throws',
    capability(async function* () {
      yield await Promise.reject(new Error('secret'));
    }),
  ],
  [
    'an item is no JSON',
    capability(async function* () {
      yield new Map();
      yield 2;
    }),
  ],
])(
  'where %s, the caller gets Internal, and the log has it once with the request id',
  async (_name, fail) => {
    const released = defer();
    const { port, log } = await serve({ fail }, released.resolve);
    const caller = await connectTo(port);
    caller.send({ id: 1, capability: 'items.fail' });
    const answer = await caller.read();
    expect(answer).toMatchObject({ error: 'Internal' });
    expect(JSON.stringify(answer)).not.toContain('secret');
    await released.promise;
    expect(log.errors).toHaveLength(1);
    expect(log.errors[0]?.requestId).toBe(answer?.['requestId']);
    caller.send({ id: 2, capability: 'items.no' });
    expect(await caller.read()).toMatchObject({ id: 2, error: 'NotFound' });
  },
);

it('a caller that leaves ends its call, which lets go of what it holds', async () => {
  const running = defer();
  const fired = defer();
  const released = defer();
  const wait = capability(async (_input, { signal }) => {
    running.resolve();
    await once(signal, 'abort');
    fired.resolve();
  });
  const { port, log } = await serve({ wait }, released.resolve);
  const caller = await connectTo(port);
  caller.send({ id: 1, capability: 'items.wait' });
  await running.promise;
  caller.socket.end();
  await Promise.all([fired.promise, released.promise]);
  expect(log.errors).toEqual([]);
});

it('a stream is read to its end, an item a line', async () => {
  const released = defer();
  const list = capability(async function* () {
    yield 'a';
    yield 'b';
  });
  const { port } = await serve({ list }, released.resolve);
  const caller = await connectTo(port);
  caller.send({ id: 1, capability: 'items.list' });
  expect(await caller.read()).toMatchObject({ id: 1, item: 'a' });
  expect(await caller.read()).toMatchObject({ id: 1, item: 'b' });
  expect(await caller.read()).toMatchObject({ id: 1, isEnd: true });
  await released.promise;
});

it('an error of a stream follows its items', async () => {
  const list = capability(async function* () {
    yield 'a';
    throw defaultErrors.Conflict('Changed meanwhile');
  });
  const { port, log } = await serve({ list });
  const caller = await connectTo(port);
  caller.send({ id: 1, capability: 'items.list' });
  expect(await caller.read()).toMatchObject({ id: 1, item: 'a' });
  expect(await caller.read()).toMatchObject({ error: 'Conflict', message: 'Changed meanwhile' });
  expect(log.errors).toEqual([]);
});

it('a stream makes items only as fast as its caller reads them', async () => {
  let made = 0;
  let read = 0;
  let lead = 0;
  const list = capability(async function* () {
    for (; made < 64; made += 1) {
      lead = Math.max(lead, made - read);
      yield 'x'.repeat(1_000_000);
    }
  });
  const { port } = await serve({ list });
  const caller = await connectTo(port);
  caller.send({ id: 1, capability: 'items.list' });
  const readItem = async () => Object.hasOwn((await caller.read()) ?? {}, 'item');
  for (; await readItem(); read += 1);
  expect(read).toBe(64);
  // What the buffers of the system hold.
  expect(lead).toBeLessThan(40);
});

it('a stream that is left ends, and its call lets go of what it holds', async () => {
  const ended = defer();
  const released = defer();
  const list = capability(async function* () {
    try {
      for (;;) yield 'x'.repeat(100_000);
    } finally {
      ended.resolve();
    }
  });
  const { port, log } = await serve({ list }, released.resolve);
  const caller = await connectTo(port);
  caller.send({ id: 1, capability: 'items.list' });
  expect(await caller.read()).toMatchObject({ id: 1 });
  caller.socket.destroy();
  await Promise.all([ended.promise, released.promise]);
  expect(log.errors).toEqual([]);
});

it('a call under way is answered while the server stops, a new one is refused, and nothing is open then', async () => {
  const running = defer();
  const end = defer();
  const wait = capability(async () => {
    running.resolve();
    await end.promise;
    return 'done';
  });
  const { server, port } = await serve({ wait });
  const caller = await connectTo(port);
  caller.send({ id: 1, capability: 'items.wait' });
  await running.promise;
  const stopped = server.stop();
  caller.send({ id: 2, capability: 'items.wait' });
  expect(await caller.read()).toMatchObject({ id: 2, error: 'ServiceUnavailable' });
  end.resolve();
  expect(await caller.read()).toMatchObject({ id: 1, data: 'done' });
  await stopped;
  expect(await caller.read()).toBeUndefined();
  await expect(connectTo(port)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  expect(findListeners()).toEqual([]);
});

it('a call that takes longer than the time to stop is cut, and the server starts again', async () => {
  const running = defer();
  const fired = defer();
  const wait = capability(async (_input, { signal }) => {
    signal.addEventListener('abort', () => fired.resolve());
    running.resolve();
    await new Promise(() => {});
  });
  const { server, port } = await serve({ wait });
  const caller = await connectTo(port);
  caller.send({ id: 1, capability: 'items.wait' });
  await running.promise;
  await Promise.all([server.stop(), server.stop({ graceMs: 10 })]);
  await fired.promise;
  expect(await caller.read()).toMatchObject({ id: 1, error: 'ServiceUnavailable' });
  expect(await caller.read()).toBeUndefined();
  const [started] = await server.start();
  const again = await connectTo(Number(new URL(started?.url ?? '').port));
  again.send({ id: 1, capability: 'items.no' });
  expect(await again.read()).toMatchObject({ id: 1, error: 'NotFound' });
});

it('a port that is in use rejects the start', async () => {
  const { port } = await serve({ getTwo: capability(() => 2) });
  const second = createServer({ capabilities: {}, transports: [lineTransport({ port })] });
  await expect(second.start()).rejects.toMatchObject({ code: 'EADDRINUSE' });
});

it('a line without an end ends its connection', async () => {
  const { port } = await serve({ getTwo: capability(() => 2) });
  const caller = await connectTo(port);
  const closed = new Promise<boolean>((resolve) =>
    caller.socket.once('close', () => resolve(true)),
  );
  caller.socket.on('error', () => {});
  caller.socket.write('x'.repeat(1_100_000));
  expect(await closed).toBe(true);
});

/** The listeners of this process. */
function findListeners(): readonly string[] {
  return process.getActiveResourcesInfo().filter((name) => name === 'TCPServerWrap');
}

/** Serves capabilities by lines; `release` is called once a call lets go of what it holds. */
async function serve(items: GroupTree[string], release: () => void = () => {}) {
  const log = recordLog();
  const context = defineContext(({ resources, transport, remoteAddress }) => {
    resources.defer(release);
    return { from: `${transport} ${remoteAddress}` };
  });
  const transports = [lineTransport({ port: 0 })];
  const server = createServer({ context, capabilities: { items }, transports, logger: log });
  const [started] = await server.start();
  onTestFinished(() => server.stop({ graceMs: 0 }));
  return { server, log, started, port: Number(new URL(started?.url ?? '').port) };
}

/** A caller: sends lines, and reads the answers one after the other; undefined at the end of the connection. */
async function connectTo(port: number) {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  onTestFinished(() => void socket.destroy());
  const lines = createInterface({ input: socket })[Symbol.asyncIterator]();
  return {
    socket,
    send: (line: object | string) =>
      void socket.write(`${typeof line === 'string' ? line : JSON.stringify(line)}\n`),
    read: async (): Promise<Readonly<Record<string, unknown>> | undefined> => {
      const { value, done } = await lines.next();
      return done === true ? undefined : (JSON.parse(value) as Readonly<Record<string, unknown>>);
    },
  };
}
