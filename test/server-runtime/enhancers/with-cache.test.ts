import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { loadAnswerCodec } from '../../../server-runtime/enhancers/answer-text.ts';
import {
  type AnyCapability,
  capability,
  compileRegistry,
  defaultErrors,
  defineContext,
  defineGuard,
  withCache,
} from '../../../server-runtime/index.ts';
import { describeInvocations } from '../../helpers/every-door.ts';
import { PATIENCE_MS } from '../../helpers/patience.ts';

interface Ctx {
  readonly user: string | undefined;
  readonly signal: AbortSignal;
}
const context = defineContext(({ headers }) => ({ user: headers['x-user'] as string | undefined }));
const mustBeUser = defineGuard((ctx: Ctx) => {
  if (ctx.user === undefined) throw defaultErrors.Unauthorized();
});
const cap = capability.withContext<Ctx>();

type Serve = Parameters<Parameters<typeof describeInvocations>[1]>[0];

/** A server with one capability `a.getNumber` that counts its calls. */
function counting(
  serve: Serve,
  declare: (handler: (input: unknown, ctx: Ctx) => unknown) => AnyCapability,
) {
  let calls = 0;
  const invoke = serve({
    context,
    capabilities: {
      a: { getNumber: declare((_input, ctx) => ({ call: ++calls, user: ctx.user })) },
    },
  } as never);
  return (input: object, user?: string) =>
    invoke({
      capability: 'a.getNumber',
      input,
      headers: user === undefined ? {} : { 'x-user': user },
    });
}

const Query = z.object({ page: z.number().default(1), tags: z.array(z.string()).optional() });

describeInvocations('withCache', (serve) => {
  it('answers equal inputs from memory, whatever the order of their fields and with defaults filled in', async () => {
    const call = counting(serve, (handler) =>
      cap(Query, handler).enhance(withCache({ ttlMs: 60_000 })),
    );
    const first = await call({ page: 1, tags: ['a'] });
    expect(await call({ tags: ['a'], page: 1 })).toEqual(first);
    expect(await call({ tags: ['a'] })).toEqual(first);
    expect(await call({ tags: ['b'] })).toMatchObject({ call: 2 });
  });

  it('asks again when the time is over', async () => {
    const call = counting(serve, (handler) =>
      cap(Query, handler).enhance(withCache({ ttlMs: 30 })),
    );
    expect(await call({})).toMatchObject({ call: 1 });
    await vi.waitFor(async () => expect(await call({})).toMatchObject({ call: 2 }), {
      timeout: PATIENCE_MS,
    });
  });

  it('keeps no more than maxEntries answers', async () => {
    const call = counting(serve, (handler) =>
      cap(Query, handler).enhance(withCache({ ttlMs: 60_000, maxEntries: 2 })),
    );
    for (const page of [1, 2, 3]) await call({ page });
    expect(await call({ page: 3 })).toMatchObject({ call: 3 });
    expect(await call({ page: 1 })).toMatchObject({ call: 4 });
  });

  it('keeps undefined and null, and no errors', async () => {
    const results: (() => unknown)[] = [
      () => {
        throw defaultErrors.ServiceUnavailable();
      },
      () => null,
      () => 'never asked',
    ];
    const invoke = serve({
      capabilities: {
        a: { getIt: capability(() => results.shift()?.()).enhance(withCache({ ttlMs: 60_000 })) },
      },
    });
    await expect(invoke({ capability: 'a.getIt' })).rejects.toThrow('Service unavailable');
    expect(await invoke({ capability: 'a.getIt' })).toBeNull();
    expect(await invoke({ capability: 'a.getIt' })).toBeNull();
  });

  it('keeps nothing that can be read only once', async () => {
    const made: object[] = [];
    const invoke = serve({
      capabilities: {
        a: {
          getStream: capability(() => {
            const stream = new Response('x').body as object;
            made.push(stream);
            return stream;
          }).enhance(withCache({ ttlMs: 60_000 })),
        },
      },
    });
    for (const _ of [1, 2]) await invoke({ capability: 'a.getStream' }).catch(() => {});
    expect(made).toHaveLength(2);
  });

  it('refuses a guarded capability that does not say whose answers it keeps', () => {
    const getNumber = cap(() => 1)
      .guard(mustBeUser)
      .enhance(withCache({ ttlMs: 1 }));
    expect(() => compileRegistry({ a: { getNumber } })).toThrow(
      /withCache on `a\.getNumber`.*one user could get the answer of another.*scope/s,
    );
  });

  it('refuses a capability that changes data', () => {
    const createOne = cap(() => 1).enhance(withCache({ ttlMs: 1 }));
    expect(() => compileRegistry({ a: { createOne } })).toThrow('its intent is `mutation`');
  });

  it('gives each user of a guarded capability answers of their own, and runs the guard before each', async () => {
    const scope = (ctx: Ctx): string | undefined => ctx.user;
    const call = counting(serve, (handler) =>
      cap(Query, handler)
        .guard(mustBeUser)
        .enhance(withCache({ ttlMs: 60_000, scope })),
    );
    expect(await call({}, 'ann')).toMatchObject({ call: 1, user: 'ann' });
    expect(await call({}, 'bob')).toMatchObject({ call: 2, user: 'bob' });
    expect(await call({}, 'ann')).toMatchObject({ call: 1, user: 'ann' });
    await expect(call({})).rejects.toMatchObject({ status: 401 });
  });

  it('keeps nothing where the scope or the key is undefined', async () => {
    const call = counting(serve, (handler) =>
      cap(Query, handler).enhance(withCache({ ttlMs: 60_000, scope: (ctx: Ctx) => ctx.user })),
    );
    await call({});
    expect(await call({})).toMatchObject({ call: 2 });
  });

  it('compares only what `key` names', async () => {
    const call = counting(serve, (handler) =>
      cap(Query, handler).enhance(
        withCache({ ttlMs: 60_000, key: ({ page }: { page: number }) => String(page) }),
      ),
    );
    await call({ tags: ['a'] });
    expect(await call({ tags: ['b'] })).toMatchObject({ call: 1 });
  });

  it.each([{ ttlMs: 0 }, { ttlMs: 1.5 }, { ttlMs: 10, maxEntries: 0 }])('refuses %j', (options) => {
    expect(() => withCache(options)).toThrow(RangeError);
  });
});

describe('the key of an input', async () => {
  const { toKey } = await loadAnswerCodec();

  it('is equal for equal values and different for different ones', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
        const isSame = JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));
        expect(toKey(sorted(one)) === toKey(sorted(other))).toBe(isSame);
        expect(toKey(reversed(one))).toBe(toKey(one));
      }),
    );
  });

  it('is different for values that read alike', () => {
    const alike = [
      1,
      1n,
      '1',
      '1n',
      new Date(1),
      new Map([[1, 1]]),
      new Set([1]),
      [1],
      { 0: 1 },
      Buffer.from('1'),
    ];
    expect(new Set(alike.map((value) => toKey(value))).size).toBe(alike.length);
  });

  it.each([
    ['a function', () => 1],
    ['an instance of a class', new (class Point {})()],
    ['what is nested very deep', JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`)],
  ])('is undefined for %s', (_name, value) => {
    expect(toKey({ value })).toBeUndefined();
  });
});

/** The same value with the fields of every object in reverse order of their names. */
function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return Object.is(value, -0) ? 0 : value;
  if (Array.isArray(value)) return value.map(sorted);
  const fields = Object.entries(value).sort(([a], [b]) => (a < b ? 1 : -1));
  return Object.fromEntries(fields.map(([name, field]) => [name, sorted(field)]));
}

/** The same value with the fields of every object the other way round. */
function reversed(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(reversed);
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, field]) => [name, reversed(field)]),
  );
}
