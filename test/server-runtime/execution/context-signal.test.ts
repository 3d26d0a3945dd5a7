import { expect, it } from 'vitest';
import {
  capability,
  createServer,
  defineContext,
  defineMiddleware,
  definePlugin,
  type MiddlewareCall,
  type Plugin,
  withTimeout,
} from '../../../server-runtime/index.ts';
import { describeInvocations, describeOverSockets } from '../../helpers/every-door.ts';
import { startOverSocket } from '../../helpers/start-rest.ts';

interface Ctx {
  readonly signal: AbortSignal;
  readonly requestId?: string;
  readonly db?: string;
  readonly tx?: string;
}

const withTransaction = defineMiddleware(({ ctx, next }: MiddlewareCall<Ctx>) =>
  next({ ...ctx, tx: 'open' }),
);
const cap = capability.withContext<Ctx>();

/** Runs until its request times out; gives what the context held then. */
const waitForTimeout = cap(async (_input, { signal, ...rest }) => {
  await new Promise((resolve) => signal.addEventListener('abort', resolve));
  const held = Object.entries(rest).filter(([name]) => name !== 'log');
  seen.push({ ...Object.fromEntries(held), reason: (signal.reason as Error).name });
});
let seen: unknown[] = [];

describeOverSockets('a middleware that hands on `{...ctx, more}`', () => {
  it.each([
    ['no builder', undefined, { requestId: 'r1' }],
    ['a builder', defineContext(() => ({ db: 'pg' })), { db: 'pg' }],
    ['a builder of frozen objects', defineContext(() => Object.freeze({ db: 'pg' })), { db: 'pg' }],
    ['a builder that has one object', defineContext(toConstant({ db: 'pg' })), { db: 'pg' }],
  ])('hands on the signal and all else: %s', async (_name, context, expected) => {
    seen = [];
    const run = waitForTimeout.enhance(withTransaction).enhance(withTimeout(20));
    const server = createServer({ ...(context && { context }), capabilities: { a: { run } } });
    for (const _ of ['first', 'second']) {
      const call = server.invoke({ capability: 'a.run', headers: { 'x-request-id': 'r1' } });
      await expect(call).rejects.toMatchObject({ status: 504 });
    }
    await new Promise(setImmediate);
    const all = { ...expected, requestId: 'r1', tx: 'open', reason: 'TimeoutError' };
    expect(seen).toEqual([all, all]);
  });
});

it('requests that run at once have each their signal, where the builder returns one object for all', async () => {
  const contexts: Ctx[] = [];
  const run = cap((_input, ctx) => new Promise(() => contexts.push(ctx)));
  const server = createServer({
    context: defineContext(toConstant({ db: 'pg' })),
    capabilities: { a: { run } },
  });
  const leaving = [new AbortController(), new AbortController()];
  const calls = leaving.map(({ signal }) => server.invoke({ capability: 'a.run', signal }));
  const aborted = (): boolean[] => contexts.map(({ signal }) => signal.aborted);
  leaving[1]?.abort();
  await expect(calls[1]).rejects.toMatchObject({ status: 503 });
  expect(aborted()).toEqual([false, true]);
  leaving[0]?.abort();
  await expect(calls[0]).rejects.toMatchObject({ status: 503 });
  expect(aborted()).toEqual([true, true]);
});

describeOverSockets('an instance of a class as the context', () => {
  class Services {
    readonly #name = 'pg';
    name(): string {
      return this.#name;
    }
  }
  const getName = capability.withContext<Services & Ctx>()((_input, ctx) => [
    ctx.name(),
    ctx.requestId,
  ]);

  it.each([
    ['alone', []],
    ['with a plugin', [definePlugin({ context: () => ({ tenant: 1 }) })]],
  ])(
    'is refused where two requests get the same one, and the log says what to return, %s',
    async (_name, plugins) => {
      const services = new Services();
      const { request, log } = await startOverSocket({
        context: defineContext(() => services),
        plugins: plugins as readonly Plugin[],
        capabilities: { a: { getName } },
      });
      expect([(await request('/a/name')).status, (await request('/a/name')).status]).toEqual([
        200, 500,
      ]);
      expect(String(log.errors[0]?.error)).toBe(
        'TypeError: The builder of defineContext(…) returned the same instance of Services for two requests, whose signals and ids would mix. Return a new object for each request: defineContext(() => ({ service })).',
      );
    },
  );

  it('is taken where each request gets one of its own', async () => {
    const context = defineContext(() => new Services());
    const { request } = await startOverSocket({ context, capabilities: { a: { getName } } });
    for (const id of ['r1', 'r2'])
      expect(await (await request('/a/name', { headers: { 'x-request-id': id } })).json()).toEqual({
        data: ['pg', id],
      });
  });
});

describeInvocations('the signal of a context', (serve) => {
  it('that is its own is kept, also where the builder returns it for each request', async () => {
    const own = { signal: new AbortController().signal };
    const isOwn = cap((_input, ctx) => ctx.signal === own.signal);
    const invoke = serve({
      context: defineContext(() => own),
      capabilities: { a: { isOwn } },
    });
    expect(await invoke({ capability: 'a.isOwn' })).toBe(true);
    expect(await invoke({ capability: 'a.isOwn' })).toBe(true);
  });

  it('is not shown where the context is the answer', async () => {
    const invoke = serve({ capabilities: { a: { run: cap((_input, ctx) => ctx) } } });
    const ctx = await invoke({ capability: 'a.run', headers: { 'x-request-id': 'r1' } });
    expect(JSON.stringify(ctx)).toBe('{"requestId":"r1"}');
  });
});

function toConstant<T>(value: T): () => T {
  return () => value;
}
