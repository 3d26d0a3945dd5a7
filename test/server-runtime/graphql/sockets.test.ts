import { once } from 'node:events';
import { createClient } from 'graphql-ws';
import { expect, it, onTestFinished, vi } from 'vitest';
import { WebSocket } from 'ws';
import { z } from 'zod';
import {
  capability,
  defineContext,
  defineError,
  defineGuard,
  stream,
} from '../../../server-runtime/index.ts';
import { type GraphqlServerOptions, startGraphql } from '../../helpers/start-graphql.ts';

const Thing = z.object({ id: z.string() });
const Unlucky = defineError(409, 'Unlucky');
const Unauthorized = defineError(401, 'Unauthorized');

interface Facts {
  readonly token: string | undefined;
  readonly connection: string | undefined;
}
const context = defineContext(({ headers, connection }) => ({
  token: headers.authorization,
  connection: connection?.id,
}));
const cap = capability.withContext<Facts & { signal: AbortSignal }>();
const mustBeUser = defineGuard((ctx: Facts) => {
  if (ctx.token !== 'Bearer 1') throw Unauthorized('Log in.');
});

function createGate() {
  let open = (): void => {};
  const isOpen = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { isOpen, open: () => open() };
}

/** Three things, an error for the lucky, and no end. */
function declareThings() {
  const ended = createGate();
  const watchThings = cap(
    z.object({ until: z.string().default('end') }),
    async function* ({ until }, { signal }) {
      try {
        yield { id: '1' };
        yield { id: '2' };
        if (until === 'error') throw Unlucky('three');
        if (until === 'never') await once(signal, 'abort');
      } finally {
        ended.open();
      }
    },
  ).output(stream(Thing));
  const held = createGate();
  const getThing = cap(Thing, ({ id }) => ({ id })).output(Thing);
  const getSlow = cap(async () => {
    await held.isOpen;
    return { id: 'slow' };
  }, 'query').output(Thing);
  const getOwn = cap
    .guard(mustBeUser)((_input: unknown, ctx) => ({ id: String(ctx.connection) }), 'query')
    .output(Thing);
  return {
    capabilities: { things: { watchThings, getThing, getSlow, getOwn } },
    ended: ended.isOpen,
    goOn: held.open,
  };
}

async function start(options: Partial<GraphqlServerOptions> = {}) {
  const things = declareThings();
  const { capabilities } = things;
  const graphql = { webSocket: true, ...options.graphql };
  const running = await startGraphql({ capabilities, context, ...options, graphql });
  return { ...things, ...running, socketUrl: running.url.replace('http', 'ws') };
}

interface Message {
  readonly id?: string;
  readonly type: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- whatever a test looks at
  readonly payload?: any;
}

/** A client that says what a test wants. */
async function open(url: string, protocols = ['graphql-transport-ws'], headers = {}) {
  const socket = new WebSocket(url, protocols, { headers });
  onTestFinished(() => socket.terminate());
  const messages: Message[] = [];
  const waiting: ((message: Message) => void)[] = [];
  socket.on('message', (data: Buffer) => {
    const message = JSON.parse(data.toString()) as Message;
    const next = waiting.shift();
    if (next === undefined) messages.push(message);
    else next(message);
  });
  const closed = new Promise<readonly [number, string]>((resolve) => {
    socket.on('close', (code, reason) => resolve([code, reason.toString()]));
  });
  await once(socket, 'open');
  const next = async (): Promise<Message> =>
    messages.shift() ?? new Promise((resolve) => waiting.push(resolve));
  const send = (message: unknown): void =>
    socket.send(typeof message === 'string' ? message : JSON.stringify(message));
  const greet = async (payload?: object): Promise<void> => {
    send({ type: 'connection_init', payload });
    expect(await next()).toEqual({ type: 'connection_ack' });
  };
  const ask = (id: string, query: string): void =>
    send({ id, type: 'subscribe', payload: { query } });
  return { socket, send, next, greet, ask, closed };
}

it('54 by graphql-transport-ws', async () => {
  const { socketUrl } = await start();
  const { greet, ask, next, send } = await open(socketUrl);
  await greet();
  ask('a', 'subscription { watchThings { id } }');
  expect(await next()).toEqual({
    id: 'a',
    type: 'next',
    payload: { data: { watchThings: { id: '1' } } },
  });
  expect(await next()).toMatchObject({ id: 'a', payload: { data: { watchThings: { id: '2' } } } });
  expect(await next()).toEqual({ id: 'a', type: 'complete' });
  ask('a', '{ getThing(id: "7") { id } }');
  expect(await next()).toEqual({
    id: 'a',
    type: 'next',
    payload: { data: { getThing: { id: '7' } } },
  });
  expect(await next()).toEqual({ id: 'a', type: 'complete' });
  send({ type: 'ping' });
  expect(await next()).toEqual({ type: 'pong' });
});

it('54 errors of a document, of an operation and of a stream', async () => {
  const { socketUrl } = await start();
  const { greet, ask, next, send } = await open(socketUrl);
  await greet();
  ask('a', '{ nothing }');
  expect(await next()).toEqual({
    id: 'a',
    type: 'error',
    payload: [
      expect.objectContaining({
        message: 'Cannot query field "nothing" on type "Query".',
        extensions: { code: 'GRAPHQL_VALIDATION_FAILED', status: 400 },
      }),
    ],
  });
  send({ id: 'b', type: 'subscribe', payload: { query: 1 } });
  expect(await next()).toMatchObject({
    type: 'error',
    payload: [{ message: '`query` must be a text, got a number' }],
  });
  ask('c', 'subscription { watchThings(until: "error") { id } }');
  await next();
  await next();
  expect(await next()).toMatchObject({
    id: 'c',
    type: 'next',
    payload: { errors: [{ extensions: { code: 'Unlucky', status: 409 } }] },
  });
  expect(await next()).toEqual({ id: 'c', type: 'complete' });
});

it('54 connectionParams are the headers of its operations', async () => {
  const { socketUrl } = await start();
  const own = '{ thingsGetOwn { id } }';
  const stranger = await open(socketUrl);
  await stranger.greet();
  stranger.ask('a', own);
  expect(await stranger.next()).toMatchObject({
    payload: { data: { thingsGetOwn: null }, errors: [{ extensions: { status: 401 } }] },
  });
  const user = await open(socketUrl);
  await user.greet({ Authorization: 'Bearer 1', isTrying: true });
  user.ask('a', own);
  const { payload } = await user.next();
  expect(payload.data.thingsGetOwn.id).toMatch(/^[\da-f-]{36}$/);
  await user.next();
  user.ask('b', own);
  expect((await user.next()).payload).toEqual(payload);
  const nested = await open(socketUrl);
  await nested.greet({ headers: { authorization: 'Bearer 1' } });
  nested.ask('a', own);
  expect((await nested.next()).payload.errors).toBeUndefined();
  const forger = await open(socketUrl);
  forger.send({ type: 'connection_init', payload: { 'x-forwarded-for': '10.0.0.1' } });
  expect(await forger.closed).toEqual([4403, 'A message may not carry the header x-forwarded-for']);
});

it.each([
  ['4400 no JSON', '{', 4400, 'The message is not valid JSON'],
  ['4400 no object', '[]', 4400, 'A message is an object, got an array'],
  ['4400 another type', { type: 'start' }, 4400, 'The message has no type that a server takes'],
  ['4400 no id', { type: 'subscribe' }, 4400, 'The id of an operation is a text'],
  ['4401', { id: 'a', type: 'subscribe', payload: {} }, 4401, 'Unauthorized'],
])('54 %s', async (_title, message, code, reason) => {
  const { socketUrl } = await start();
  const { send, closed } = await open(socketUrl);
  send(message);
  const [closedWith, text] = await closed;
  expect(closedWith).toBe(code);
  expect(text).toContain(reason);
});

it('54 4400 of bytes, 4406 of another subprotocol, 4409 of an id in use, 4429 of a second greeting', async () => {
  const { socketUrl, ended } = await start();
  const binary = await open(socketUrl);
  binary.socket.send(Buffer.from('{}'));
  expect(await binary.closed).toEqual([4400, 'Messages are texts']);
  const other = await open(socketUrl, []);
  expect(await other.closed).toEqual([4406, 'Subprotocol not acceptable']);
  const twice = await open(socketUrl);
  await twice.greet();
  twice.ask('a', 'subscription { watchThings(until: "never") { id } }');
  await twice.next();
  twice.ask('a', '{ __typename }');
  expect(await twice.closed).toEqual([4409, 'Subscriber for a already exists']);
  await ended;
  const greeting = await open(socketUrl);
  await greeting.greet();
  greeting.send({ type: 'connection_init' });
  expect(await greeting.closed).toEqual([4429, 'Too many initialisation requests']);
});

it('a client that completes an operation ends its generator, and hears no more of it', async () => {
  const { socketUrl, ended } = await start();
  const { greet, ask, next, send } = await open(socketUrl);
  await greet();
  ask('a', 'subscription { watchThings(until: "never") { id } }');
  await next();
  await next();
  send({ id: 'a', type: 'complete' });
  await ended;
  ask('a', '{ __typename }');
  expect(await next()).toMatchObject({ id: 'a', payload: { data: { __typename: 'Query' } } });
});

it('a client that leaves ends its generators, and at most 100 operations run at a time', async () => {
  const { socketUrl, ended } = await start();
  const { greet, ask, next, socket } = await open(socketUrl);
  await greet();
  ask('a', 'subscription { watchThings(until: "never") { id } }');
  await next();
  await next();
  for (let id = 1; id < 100; id++) ask(String(id), '{ thingsGetSlow { id } }');
  ask('more', '{ __typename }');
  expect(await next()).toMatchObject({
    id: 'more',
    type: 'error',
    payload: [{ extensions: { code: 'TooManyRequests', status: 429 } }],
  });
  socket.terminate();
  await ended;
});

it('55 drain ends both', async () => {
  const { socketUrl, ended, goOn, server } = await start();
  const { greet, ask, next, closed } = await open(socketUrl);
  await greet();
  ask('a', 'subscription { watchThings(until: "never") { id } }');
  await next();
  await next();
  ask('b', '{ thingsGetSlow { id } }');
  ask('c', '{ __typename }');
  expect(await next()).toMatchObject({ id: 'c' });
  await next();
  const stopped = server.stop({ graceMs: 60_000 });
  await ended;
  ask('d', '{ __typename }');
  expect(await next()).toMatchObject({
    id: 'd',
    type: 'error',
    payload: [{ extensions: { status: 503 } }],
  });
  goOn();
  expect(await next()).toMatchObject({
    id: 'b',
    payload: { data: { thingsGetSlow: { id: 'slow' } } },
  });
  expect(await next()).toEqual({ id: 'b', type: 'complete' });
  expect(await closed).toEqual([1001, 'stop']);
  await stopped;
});

it('54 4408 of a client that never greets', async () => {
  const { socketUrl } = await start();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const { closed } = await open(socketUrl);
  const greeted = await open(socketUrl);
  await greeted.greet();
  vi.advanceTimersByTime(10_000);
  expect(await closed).toEqual([4408, 'Connection initialisation timeout']);
  greeted.send({ type: 'ping' });
  expect(await greeted.next()).toEqual({ type: 'pong' });
});

it('a client that stops reading is waited for, and its generator ends with its connection', async () => {
  let made = 0;
  const ended = createGate();
  const listTexts = cap(async function* () {
    try {
      for (;;) {
        made++;
        yield 'x'.repeat(20_000);
      }
    } finally {
      ended.open();
    }
  }).output(stream(z.string()));
  const { socketUrl } = await start({ capabilities: { texts: { listTexts } } });
  const { greet, ask, socket } = await open(socketUrl);
  await greet();
  ask('a', 'subscription { listTexts }');
  socket.pause();
  let last = -1;
  const isQuiet = (): boolean => {
    const before = last;
    last = made;
    return made > 0 && made === before;
  };
  await expect.poll(isQuiet, { interval: 200 }).toBe(true);
  // The socket of the system takes some, and no more than that is made.
  expect(made).toBeLessThan(1000);
  socket.terminate();
  await ended.isOpen;
});

it('a subscriber that leaves ends the guard and the handler that it waits for', async () => {
  const seen: string[] = [];
  const waits = async (what: string, signal: AbortSignal): Promise<never> => {
    seen.push(what);
    await once(signal, 'abort');
    seen.push(`${what} ended`);
    throw signal.reason;
  };
  const mustWait = defineGuard((ctx: { signal: AbortSignal }) => waits('guard', ctx.signal));
  const watchGuarded = cap
    .guard(mustWait)(async function* () {
      yield { id: '1' };
    })
    .output(stream(Thing));
  const watchSlow = cap(async (_input: unknown, { signal }) => waits('handler', signal)).output(
    stream(Thing),
  );
  const { socketUrl } = await start({ capabilities: { things: { watchGuarded, watchSlow } } });
  const { greet, ask, send, socket } = await open(socketUrl);
  await greet();
  ask('a', 'subscription { thingsWatchGuarded { id } }');
  await expect.poll(() => seen).toEqual(['guard']);
  send({ id: 'a', type: 'complete' });
  await expect.poll(() => seen).toEqual(['guard', 'guard ended']);
  ask('b', 'subscription { thingsWatchSlow { id } }');
  await expect.poll(() => seen).toContain('handler');
  socket.terminate();
  await expect.poll(() => seen).toContain('handler ended');
});

it('a page of another site may not connect, and GET without an upgrade is a query', async () => {
  const { socketUrl, url } = await start();
  const headers = { origin: 'https://evil.example', cookie: 'session=1' };
  const socket = new WebSocket(socketUrl, ['graphql-transport-ws'], { headers });
  const [error] = (await once(socket, 'error')) as [Error];
  expect(error.message).toBe('Unexpected server response: 403');
  const response = await fetch(`${url}?query=${encodeURIComponent('{ __typename }')}`);
  expect(await response.json()).toEqual({ data: { __typename: 'Query' } });
});

it('the client of graphql-ws subscribes, queries and is authorized', async () => {
  const { socketUrl } = await start();
  const client = createClient({
    url: socketUrl,
    webSocketImpl: WebSocket,
    connectionParams: { authorization: 'Bearer 1' },
    retryAttempts: 0,
  });
  onTestFinished(() => client.dispose());
  const collect = async (query: string) => {
    const results: unknown[] = [];
    for await (const result of client.iterate({ query })) results.push(result);
    return results;
  };
  expect(await collect('subscription { watchThings { id } }')).toEqual([
    { data: { watchThings: { id: '1' } } },
    { data: { watchThings: { id: '2' } } },
  ]);
  expect(await collect('{ thingsGetOwn { id } }')).toMatchObject([{ data: { thingsGetOwn: {} } }]);
  await expect(collect('{ nothing }')).rejects.toMatchObject([
    { extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } },
  ]);
});
