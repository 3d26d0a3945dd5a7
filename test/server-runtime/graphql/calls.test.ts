import { expect, it } from 'vitest';
import { z } from 'zod';
import {
  afterSuccess,
  type BaseContext,
  capability,
  defineContext,
  defineError,
  defineGuard,
  noContent,
  redirect,
  reply,
  text,
  withIdempotency,
  withRateLimit,
  withTimeout,
} from '../../../server-runtime/index.ts';
import { startGraphql, toPost } from '../../helpers/start-graphql.ts';

const Thing = z.object({ id: z.string() });
const NoSuch = defineError(404, 'NoSuch');

it('22 query', async () => {
  const getThing = capability(Thing, ({ id }) => ({ id, hidden: 'never declared' })).output(Thing);
  const done = capability(() => {}).output(noContent);
  const page = capability(() => 'hello').output(text());
  const away = capability(
    () =>
      reply('https://example.org/', { status: 302, headers: { location: 'https://example.org/' } }),
    'query',
  ).output(redirect);
  const { ask } = await startGraphql({ capabilities: { things: { getThing, done, page, away } } });
  expect(
    await ask('query ($id: ID!) { getThing(id: $id) { id } thingsAway }', { id: '7' }),
  ).toMatchObject({
    status: 200,
    data: { getThing: { id: '7' }, thingsAway: 'https://example.org/' },
  });
  expect((await ask('mutation { thingsDone thingsPage }')).data).toEqual({
    thingsDone: true,
    thingsPage: 'hello',
  });
});

it('23 mutation order of three slow ones', async () => {
  const log: string[] = [];
  const addStep = capability(z.object({ name: z.string() }), async ({ name }) => {
    log.push(`${name} begins`);
    await new Promise(setImmediate);
    log.push(`${name} ends`);
    return name;
  }).output(text());
  const { ask } = await startGraphql({ capabilities: { steps: { addStep } } });
  const answer = await ask(
    'mutation { a: addStep(input: { name: "a" }) b: addStep(input: { name: "b" }) c: addStep(input: { name: "c" }) }',
  );
  expect(answer.data).toEqual({ a: 'a', b: 'b', c: 'c' });
  expect(log).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
});

it('24 one of two root fields fails, the other has data', async () => {
  const getThing = capability(Thing, ({ id }) => {
    if (id === '0') throw NoSuch('There is no 0.', { id });
    return { id };
  })
    .errors(NoSuch)
    .output(Thing);
  const { ask } = await startGraphql({ capabilities: { things: { getThing } } });
  expect(await ask('{ a: getThing(id: 0) { id } b: getThing(id: 1) { id } }')).toMatchObject({
    status: 200,
    data: { a: null, b: { id: '1' } },
    errors: [{ path: ['a'], extensions: { code: 'NoSuch', status: 404, meta: { id: '0' } } }],
  });
});

it('25 guard per field', async () => {
  const Unauthorized = defineError(401, 'Unauthorized');
  const context = defineContext(({ headers }) => ({ user: headers['x-user'] }));
  const mustBeUser = defineGuard((ctx: { user: unknown }) => {
    if (ctx.user === undefined) throw Unauthorized();
  });
  const open = capability(() => 'open').output(text());
  const { ask } = await startGraphql({
    context,
    capabilities: { things: { getOpen: open, getShut: open.guard(mustBeUser) } },
  });
  const query = '{ thingsGetOpen thingsGetShut }';
  expect(await ask(query)).toMatchObject({
    data: { thingsGetOpen: 'open', thingsGetShut: null },
    errors: [{ path: ['thingsGetShut'], extensions: { code: 'Unauthorized', status: 401 } }],
  });
  expect((await ask(query, {}, { headers: { 'x-user': 'ann' } })).data.thingsGetShut).toBe('open');
});

it('26 builder runs once a request, per field for classes', async () => {
  let built = 0;
  class Services {
    readonly #count = ++built;
    get count(): number {
      return this.#count;
    }
  }
  const getCount = capability((_: object, ctx: BaseContext) => (ctx as unknown as Services).count);
  const capabilities = { things: { getCount } };
  const text2 = '{ a: thingsGetCount b: thingsGetCount }';
  const plain = await startGraphql({
    capabilities,
    context: defineContext(() => ({ count: ++built })),
  });
  expect((await plain.ask(text2)).data).toEqual({ a: 1, b: 1 });
  built = 0;
  const classes = await startGraphql({
    capabilities,
    context: defineContext(() => new Services()),
  });
  const { a, b } = (await classes.ask(text2)).data;
  expect(a).not.toBe(b);
});

it('27 `afterSuccess` of each field', async () => {
  const log: string[] = [];
  const addThing = capability(Thing, ({ id }, ctx: BaseContext) => {
    afterSuccess(ctx, () => void log.push(`${id} succeeded`));
    if (id === 'bad') throw NoSuch();
    log.push(`${id} ran`);
    return id;
  }).output(text());
  const { ask } = await startGraphql({ capabilities: { things: { addThing } } });
  await ask(
    'mutation { a: addThing(input: { id: "a" }) b: addThing(input: { id: "bad" }) c: addThing(input: { id: "c" }) }',
  );
  expect(log).toEqual(['a ran', 'a succeeded', 'c ran', 'c succeeded']);
});

it('28 signals: caller leaves, all fields abort', async () => {
  const aborted: string[] = [];
  let begun = 0;
  let onBegun = (): void => {};
  const allBegun = new Promise<void>((resolve) => {
    onBegun = resolve;
  });
  const getThing = capability(Thing, async ({ id }, { signal }) => {
    if (++begun === 2) onBegun();
    await new Promise<void>((resolve) =>
      signal.addEventListener('abort', () => {
        aborted.push(id);
        resolve();
      }),
    );
    return { id };
  }).output(Thing);
  const statuses: number[] = [];
  const { url } = await startGraphql({
    capabilities: { things: { getThing } },
    hooks: { onResponse: ({ status }) => void statuses.push(status) },
  });
  const caller = new AbortController();
  const query = '{ a: getThing(id: "a") { id } b: getThing(id: "b") { id } }';
  const asked = fetch(url, toPost({ query }, { signal: caller.signal }));
  await allBegun;
  caller.abort();
  await expect(asked).rejects.toThrow();
  await expect.poll(() => aborted.toSorted()).toEqual(['a', 'b']);
  expect(statuses).toEqual([499]);
});

it('29 timeout of one field', async () => {
  const slow = capability(
    Thing,
    (_, { signal }) =>
      new Promise<never>((__, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error));
      }),
  )
    .output(Thing)
    .enhance(withTimeout(20));
  const getThing = capability(Thing, ({ id }) => ({ id })).output(Thing);
  const { ask } = await startGraphql({ capabilities: { things: { getThing, findThing: slow } } });
  expect(await ask('{ findThing(id: 1) { id } getThing(id: 1) { id } }')).toMatchObject({
    status: 200,
    data: { findThing: null, getThing: { id: '1' } },
    errors: [{ path: ['findThing'], extensions: { code: 'Timeout', status: 504 } }],
  });
});

it('a field may take longer than a body may', async () => {
  const getThing = capability(Thing, async ({ id }) => {
    await new Promise((resolve) => setTimeout(resolve, 60));
    return { id };
  })
    .output(Thing)
    .enhance(withTimeout(10_000));
  const { ask } = await startGraphql({ capabilities: { things: { getThing } }, timeoutMs: 30 });
  expect((await ask('{ getThing(id: 1) { id } }')).data).toEqual({ getThing: { id: '1' } });
});

it('30 idempotency key with two mutations', async () => {
  let count = 0;
  const addThing = capability(Thing, ({ id }) => `${id} ${++count}`)
    .output(text())
    .enhance(withIdempotency());
  const { ask } = await startGraphql({ capabilities: { things: { addThing } } });
  const query = 'mutation { a: addThing(input: { id: "a" }) b: addThing(input: { id: "b" }) }';
  const headers = { 'idempotency-key': '"k"' };
  const first = await ask(query, {}, { headers });
  expect(first.data).toEqual({ a: 'a 1', b: 'b 2' });
  expect((await ask(query, {}, { headers })).data).toEqual(first.data);
  expect(count).toBe(2);
});

it('31 rate limit per field', async () => {
  const getThing = capability(Thing, ({ id }) => ({ id }))
    .output(Thing)
    .enhance(withRateLimit({ limit: 2, windowMs: 60_000 }));
  const { ask } = await startGraphql({ capabilities: { things: { getThing } } });
  const answer = await ask(
    '{ a: getThing(id: 1) { id } b: getThing(id: 2) { id } c: getThing(id: 3) { id } }',
  );
  expect(answer).toMatchObject({
    data: { a: { id: '1' }, b: { id: '2' }, c: null },
    errors: [{ path: ['c'], extensions: { code: 'TooManyRequests', status: 429 } }],
  });
  expect(answer.headers.get('ratelimit')).not.toBeNull();
});

it('32 extensions of declared, validation, unexpected', async () => {
  const getThing = capability(z.object({ id: z.string().max(3) }), ({ id }) => {
    if (id === 'no') throw NoSuch('no', { id, at: 3n });
    throw new Error('a secret of the database');
  }).output(Thing);
  const { ask, log } = await startGraphql({ capabilities: { things: { getThing } } });
  const answer = await ask(
    '{ a: getThing(id: "no") { id } b: getThing(id: "long") { id } c: getThing(id: "x") { id } }',
  );
  expect(
    answer.errors?.map(({ path, message, extensions }) => [path, message, extensions]),
  ).toEqual([
    [['a'], 'no', { code: 'NoSuch', status: 404, meta: { id: 'no', at: '3' } }],
    [['b'], expect.any(String), expect.objectContaining({ code: 'BadRequest', status: 400 })],
    [['c'], 'Internal server error', { code: 'Internal', status: 500 }],
  ]);
  expect(answer.errors?.[1]?.extensions?.meta).toMatchObject({
    issues: [expect.stringMatching(/^id: /)],
  });
  expect(JSON.stringify(answer)).not.toContain('secret');
  expect(log.errors).toHaveLength(1);
  // What its caller can correct is no fault of the server.
  const wrong = await ask('query ($id: ID!) { getThing(id: $id) { id } }', { id: { a: 1 } });
  expect(wrong).toMatchObject({
    status: 400,
    errors: [{ extensions: { code: 'BadRequest', status: 400 } }],
  });
  expect(log.errors).toHaveLength(1);
});

it('33 enum value that is not declared is `Internal`, unnamed', async () => {
  const State = z.object({ state: z.enum(['on', 'off']), at: z.date(), n: z.int32() });
  const bad = { state: 'secret', at: new Date(Number.NaN), n: 2 ** 40 };
  // A schema of another library that lets everything pass.
  const lax = {
    '~standard': {
      version: 1,
      vendor: 'lax',
      validate: (value: unknown) => ({ value }),
      jsonSchema: {
        input: () => z.toJSONSchema(State, { unrepresentable: 'any' }),
        output: () => z.toJSONSchema(State, { unrepresentable: 'any' }),
      },
    },
  };
  const getState = capability(() => bad as never).output(lax as never);
  const { ask, log } = await startGraphql({ capabilities: { things: { getState } } });
  const answer = await ask('{ thingsGetState { state n } }');
  expect(answer).toMatchObject({
    data: { thingsGetState: null },
    errors: [{ message: 'Internal server error', extensions: { code: 'Internal', status: 500 } }],
  });
  expect(JSON.stringify(answer)).not.toContain('secret');
  expect(log.errors[0]?.message).toContain('things.getState');
});

it('34 hooks and log name key and id', async () => {
  const seen: unknown[] = [];
  const getThing = capability(() => {
    throw new Error('broken');
  });
  const { ask, log } = await startGraphql({
    capabilities: { things: { getThing } },
    hooks: {
      onRequest: ({ transport, method, path }) =>
        void seen.push(['request', transport, method, path]),
      onError: ({ capability: key, request, failure }) =>
        void seen.push(['error', key, request.requestId, failure.name]),
      onResponse: ({ request, status }) => void seen.push(['response', request.requestId, status]),
    },
  });
  const { headers } = await ask('{ getThing }', {}, { headers: { 'x-request-id': 'r1' } });
  expect(headers.get('x-request-id')).toBe('r1');
  expect(seen).toEqual([
    ['request', 'graphql', 'POST', '/graphql'],
    ['error', 'things.getThing', 'r1', 'Internal'],
    ['response', 'r1', 200],
  ]);
  expect(log.errors).toEqual([
    expect.objectContaining({
      message: '[capix] GQL things.getThing failed',
      requestId: 'r1',
    }),
  ]);
});

it('35 cookies set by a field reach the answer', async () => {
  const signIn = capability(() =>
    reply('in', { headers: { 'set-cookie': ['a=1', 'b=2'], 'content-type': 'text/plain' } }),
  ).output(text());
  const { ask } = await startGraphql({ capabilities: { users: { signIn } } });
  const answer = await ask('mutation { usersSignIn }');
  expect(answer.data).toEqual({ usersSignIn: 'in' });
  expect(answer.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
  expect(answer.headers.get('content-type')).toContain('json');
});

it('bytes and undeclared streams are refused in words', async () => {
  const getBytes = capability(() => new Uint8Array([1]));
  const getItems = capability(async function* () {
    yield 1;
  });
  const { ask } = await startGraphql({ capabilities: { things: { getBytes, getItems } } });
  expect(
    (await ask('{ thingsGetBytes thingsGetItems }')).errors?.map(({ message }) => message),
  ).toEqual([
    'The answer is bytes: ask for them over REST',
    'The answer is a stream: declare it by .output(stream(…)), and it is a subscription',
  ]);
});
