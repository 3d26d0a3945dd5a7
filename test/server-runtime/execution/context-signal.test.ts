import { describe, expect, it } from 'vitest';
import { capability, createServer, defineContext, defineEnhancer, withTimeout } from '../../../server-runtime/index.ts';

interface Ctx {
  readonly signal: AbortSignal;
  readonly requestId?: string;
  readonly db?: string;
  readonly tx?: string;
}

const withTransaction = defineEnhancer((next) => (input, ctx) => next(input, { ...(ctx as object), tx: 'open' }));
const cap = capability.withContext<Ctx>();

/** Runs until its request times out; gives what the context held then. */
const waitForTimeout = cap(async (_input, { signal, ...rest }) => {
  await new Promise((resolve) => signal.addEventListener('abort', resolve));
  seen.push({ ...Object.fromEntries(Object.entries(rest)), reason: (signal.reason as Error).name });
});
let seen: unknown[] = [];

describe('an enhancer that hands on `{...ctx, more}`', () => {
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
  const server = createServer({ context: defineContext(toConstant({ db: 'pg' })), capabilities: { a: { run } } });
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

it('a context that is answered with shows no signal', async () => {
  const server = createServer({ capabilities: { a: { run: cap((_input, ctx) => ctx) } } });
  const ctx = await server.invoke({ capability: 'a.run', headers: { 'x-request-id': 'r1' } });
  expect(JSON.stringify(ctx)).toBe('{"requestId":"r1"}');
});

function toConstant<T>(value: T): () => T {
  return () => value;
}
