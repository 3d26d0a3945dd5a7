import fc from 'fast-check';
import { expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import * as z from 'zod';
import {
  type App,
  capability,
  createServer,
  defineContext,
  type Hooks,
  restTransport,
  type Transport,
  toFetchHandler,
  withTimeout,
} from '../../../server-runtime/index.ts';
import { mcpTransport } from '../../../server-runtime/mcp/index.ts';
import { queueTransport } from '../../../server-runtime/queue/index.ts';
import { webSocketTransport } from '../../../server-runtime/websocket/index.ts';
import { recordLog } from '../../helpers/start-rest.ts';

const SERVERS = 20;
const CALLS_OF_A_SERVER = 50;

const doors = [
  'rest',
  'fetch',
  'mcp',
  'job',
  'invoke',
  'own',
  'websocket',
  'answer',
  'child',
] as const;
const works = [
  'value',
  'early',
  'late',
  'stall',
  'stream',
  'broken',
  'unsayable',
  'streamNow',
  'brokenNow',
] as const;

interface Plan {
  readonly door: (typeof doors)[number];
  readonly work: (typeof works)[number];
  /** The turns after which the caller leaves; without it he waits for the end. */
  readonly leaveAfter: number | undefined;
  readonly releaseFails: boolean;
}

const plans: fc.Arbitrary<Plan> = fc.record({
  door: fc.constantFrom(...doors),
  work: fc.constantFrom(...works),
  leaveAfter: fc.option(fc.nat(8), { nil: undefined }),
  releaseFails: fc.boolean(),
});

const turn = (): Promise<void> => new Promise(setImmediate);

/** What all calls of a server have thrown, and what somebody has learned of it. */
class Ledger {
  open = 0;
  begun = 0;
  readonly thrown = new Set<unknown>();
  readonly known = new Set<unknown>();

  toFault(what: string): Error {
    const fault = new Error(what);
    this.thrown.add(fault);
    return fault;
  }

  learn(error: unknown): void {
    if (error === undefined || this.known.has(error)) return;
    this.known.add(error);
    if (error instanceof AggregateError) for (const each of error.errors) this.learn(each);
    if (error instanceof Error) this.learn(error.cause);
  }
}

function toCapabilities(ledger: Ledger) {
  type Context = { readonly signal: AbortSignal; readonly hold: (fails: boolean) => void };
  async function* toItems(isBroken: boolean) {
    for (let item = 0; item < 3; item++) {
      yield item;
      await turn();
      if (isBroken) throw ledger.toFault('a stream broke off');
    }
  }
  const input = z.object({ work: z.enum(works), releaseFails: z.boolean() });
  const run = capability
    .withContext<Context & { requestId: string }>()(input, ({ work, releaseFails }, ctx) => {
      ctx.hold(releaseFails);
      if (work === 'early') throw ledger.toFault('the handler failed');
      // A stream that is given in the same turn comes before anything was waited for.
      if (work === 'streamNow' || work === 'brokenNow') return toItems(work === 'brokenNow');
      return runLater(work, ctx);
    })
    .enhance(withTimeout(40));
  async function runLater(work: Exclude<Plan['work'], 'early' | `${string}Now`>, ctx: Context) {
    await turn();
    switch (work) {
      case 'late':
        throw ledger.toFault('the handler failed late');
      case 'stall':
        ctx.signal.throwIfAborted();
        await new Promise((_, reject) =>
          ctx.signal.addEventListener('abort', () => reject(ctx.signal.reason as Error)),
        );
        return undefined;
      case 'stream':
        return toItems(false);
      case 'broken':
        return toItems(true);
      case 'unsayable':
        return { at: Number.NaN };
      case 'value':
        return work;
    }
  }
  return { a: { run } };
}

async function open(ledger: Ledger, random: () => number) {
  const log = recordLog();
  const logger = {
    ...log,
    error: (...words: Parameters<typeof log.error>) => {
      ledger.learn(words[1]?.error);
      log.error(...words);
    },
  };
  const context = defineContext(({ resources }) => {
    ledger.open++;
    ledger.begun++;
    resources.defer(() => void ledger.open--);
    const hold = (fails: boolean): void =>
      resources.defer(() => {
        if (fails) throw ledger.toFault('a release failed');
      });
    return { hold };
  });
  const fail = (): void => {
    if (random() < 0.2) throw ledger.toFault('a hook failed');
  };
  const hooks: Hooks = { onRequest: fail, onResponse: fail, onError: fail };
  const capabilities = toCapabilities(ledger);
  const jobs = queueTransport({ capabilities, jobs: { 'a.run': { attempts: 1 } } });
  let app: App | undefined;
  const own: Transport = {
    name: 'own',
    start: async (given) => {
      app = given;
      return { routes: [] };
    },
    stop: async () => {},
  };
  const transports = [
    restTransport({ port: 0 }),
    mcpTransport({ port: 0 }),
    jobs,
    own,
    webSocketTransport(),
  ];
  const server = createServer({ context, capabilities, hooks, transports, logger } as never);
  const [rest, mcp] = await server.start();
  return { server, rest: rest?.url, mcp: mcp?.url, jobs, app: app as unknown as App };
}

type Opened = Awaited<ReturnType<typeof open>>;

const toJson = (body: object, signal: AbortSignal, more = {}): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...more },
  body: JSON.stringify(body),
  signal,
});

async function readAll(value: unknown): Promise<void> {
  if (typeof value !== 'object' || value === null || !(Symbol.asyncIterator in value)) return;
  for await (const item of value as AsyncIterable<unknown>) void item;
}

/** One call through its door, read to its end. Rejects with what its caller learns. */
const callers: Record<
  Plan['door'],
  (opened: Opened, input: object, signal: AbortSignal) => Promise<unknown>
> = {
  rest: async ({ rest }, input, signal) =>
    (await fetch(`${rest}/a/run`, toJson(input, signal))).text(),
  fetch: async ({ server }, input, signal) => {
    const request = new Request('http://localhost/a/run', toJson(input, signal));
    return (await toFetchHandler(server)(request)).text();
  },
  mcp: async ({ mcp }, input, signal) => {
    const params = { name: 'a_run', arguments: input };
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
    const accept = { accept: 'application/json, text/event-stream' };
    return (await fetch(`${mcp}`, toJson(message, signal, accept))).text();
  },
  job: async ({ jobs }, input) => jobs.enqueue('a.run', input as never),
  invoke: async ({ server }, input, signal) =>
    readAll(await server.invoke({ capability: 'a.run', input, signal } as never)),
  websocket: ({ rest }, input, signal) => callOverSocket(`${rest}`, input, signal),
  own: async ({ app }, input, signal) => {
    const outcome = await app.call({ capability: 'a.run', input, signal });
    if (outcome.ok) await readAll(outcome.value);
  },
  answer: async ({ app }, input, signal) =>
    app.answer({ capability: 'a.run', input, signal }, () => turn()),
  child: async ({ app }, input, signal) => {
    const parent = app.begin({ signal });
    try {
      const call = { capability: 'a.run', input, parent };
      const [first] = await Promise.all([app.call(call), app.answer(call, () => {})]);
      if (first.ok) await readAll(first.value);
    } finally {
      await parent.end();
    }
  },
};

/** A call over a connection of its own, which the caller cancels, or cuts. */
function callOverSocket(url: string, input: object, signal: AbortSignal): Promise<void> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/_call`);
  const send = (message: object): void => {
    if (socket.readyState !== socket.OPEN) return socket.terminate();
    socket.send(JSON.stringify({ jsonrpc: '2.0', ...message }));
  };
  signal.addEventListener('abort', () => {
    send({ method: '$/cancel', params: { id: 1 } });
    setImmediate(() => socket.terminate());
  });
  socket.on('error', () => {});
  socket.on('open', () => send({ id: 1, method: 'a.run', params: input }));
  socket.on('message', (data: Buffer) => {
    const { id } = JSON.parse(data.toString()) as { readonly id?: number };
    if (id === 1) socket.close();
  });
  return new Promise((resolve) => socket.on('close', () => resolve()));
}

async function call(opened: Opened, { door, leaveAfter, ...input }: Plan, ledger: Ledger) {
  const leave = new AbortController();
  const calling = callers[door](opened, input, leave.signal).catch((error) => ledger.learn(error));
  if (leaveAfter !== undefined) {
    for (let at = 0; at < leaveAfter; at++) await turn();
    leave.abort();
  }
  await calling;
}

it('leaves no open call, no held resource and no unlogged failure, however one thousand calls end', async () => {
  const rejections: unknown[] = [];
  const note = (reason: unknown): void => void rejections.push(reason);
  process.on('unhandledRejection', note);
  onTestFinished(() => void process.off('unhandledRejection', note));
  const seed = Date.now() % 2 ** 31;
  let state = seed;
  const random = (): number => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
  for (let at = 0; at < SERVERS; at++) {
    const ledger = new Ledger();
    const opened = await open(ledger, random);
    const calls = fc
      .sample(plans, { numRuns: CALLS_OF_A_SERVER, seed: seed + at })
      .map((plan) => call(opened, plan, ledger));
    // Every other server stops while calls are under way, some of them at once.
    if (at % 2 === 0) await Promise.all(calls);
    await opened.server.stop({ graceMs: at % 4 === 1 ? 0 : 5000 });
    await Promise.all(calls);
    const message = `server ${at} of seed ${seed}`;
    const findUnknown = () => [...ledger.thrown].filter((each) => !ledger.known.has(each));
    await expect.poll(() => ledger.open, { message }).toBe(0);
    await expect.poll(findUnknown, { message }).toEqual([]);
    expect(ledger.begun, message).toBeGreaterThan(0);
  }
  expect(rejections).toEqual([]);
});
