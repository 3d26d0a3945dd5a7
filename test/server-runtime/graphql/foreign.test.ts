import { EventEmitter } from 'node:events';
import { type ExecutionResult, graphql, parse, subscribe } from 'graphql';
import { expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { loader, toGraphqlSchema } from '../../../server-runtime/graphql/index.ts';
import {
  capability,
  createServer,
  defaultErrors,
  defineContext,
  defineError,
  type GroupTree,
  noContent,
  redirect,
  sse,
  stream,
  text,
  withIdempotency,
} from '../../../server-runtime/index.ts';
import { recordLog } from '../../helpers/start-rest.ts';

const Thing = z.object({ id: z.string(), next: z.string().optional() }).meta({ id: 'Thing' });
const Unlucky = defineError(409, 'Unlucky', { meta: z.object({ left: z.int32() }) });

/** Runs documents by the schema that another server of GraphQL would serve. */
async function serve(capabilities: GroupTree, options: Parameters<typeof toGraphqlSchema>[1] = {}) {
  const log = recordLog();
  const context = defineContext(({ headers }) => ({ who: headers['x-who'] }));
  const server = createServer({ capabilities, context, logger: log });
  const schema = await toGraphqlSchema(server, options);
  return {
    log,
    ask: async (source: string, contextValue: object = {}) =>
      JSON.parse(
        JSON.stringify(await graphql({ schema, source, contextValue })),
      ) as ExecutionResult<
        // oxlint-disable-next-line typescript/no-explicit-any -- whatever a test asks for
        Record<string, any>
      >,
    subscribe: async (source: string, contextValue: object = {}) => {
      const results = await subscribe({ schema, document: parse(source), contextValue });
      return results as AsyncGenerator<ExecutionResult>;
    },
  };
}

it('answers that are no data are what our own transport makes of them', async () => {
  const { ask } = await serve({
    things: {
      goOn: capability(() => '/elsewhere', 'query').output(redirect),
      greet: capability(() => 'hello', 'query').output(text()),
      clear: capability(() => undefined, 'query').output(noContent),
      getBytes: capability(() => new Uint8Array([1]), 'query'),
      list: capability(async function* () {
        yield 1;
      }, 'query'),
    },
  });
  const { data, errors } = await ask(
    '{ thingsGoOn thingsGreet thingsClear thingsGetBytes thingsList }',
  );
  expect(data).toEqual({
    thingsGoOn: '/elsewhere',
    thingsGreet: 'hello',
    thingsClear: true,
    thingsGetBytes: null,
    thingsList: null,
  });
  expect(errors).toMatchObject([
    { message: 'The answer is bytes: ask for them over REST' },
    { message: expect.stringContaining('The answer is a stream: declare it by') },
  ]);
});

it('items of events are their data, and links begin at them', async () => {
  const getThing = capability(Thing.pick({ id: true }), ({ id }) => ({ id: `linked ${id}` }));
  const watch = capability(async function* () {
    yield { id: '1', next: 'a' };
    yield sse({ id: '2', next: 'b' }, { id: 'e2' });
  }).output(stream(Thing));
  const { subscribe: open } = await serve(
    { things: { getThing: getThing.output(Thing), watch } },
    { links: { Thing: { after: ['things.getThing', ({ next }) => next && { id: next }] } } },
  );
  const results: unknown[] = [];
  for await (const { data } of await open('subscription { thingsWatch { id after { id } } }'))
    results.push(data?.['thingsWatch']);
  expect(results).toEqual([
    { id: '1', after: { id: 'linked a' } },
    { id: '2', after: { id: 'linked b' } },
  ]);
});

it('an error of a stream is one for its caller, and an unexpected one is hidden and logged', async () => {
  const watch = capability(z.object({ secret: z.boolean() }), async function* ({ secret }) {
    yield { id: '1' };
    throw secret ? new Error('the password is 123') : Unlucky('three', { left: 3 });
  }).output(stream(Thing));
  const { subscribe: open, log } = await serve({ things: { watch } });
  const fail = async (secret: boolean) => {
    const items = await open(`subscription { thingsWatch(secret: ${secret}) { id } }`);
    await items.next();
    return items.next().catch((thrown: unknown) => thrown);
  };
  expect(JSON.parse(JSON.stringify(await fail(false)))).toEqual({
    message: 'three',
    extensions: { code: 'Unlucky', status: 409, meta: { left: 3 } },
  });
  expect(log.errors).toEqual([]);
  expect(JSON.parse(JSON.stringify(await fail(true)))).toEqual({
    message: 'Internal server error',
    extensions: { code: 'Internal', status: 500 },
  });
  expect(log.errors).toHaveLength(1);
});

it('a subscription that is left ends its generator, also while it waits for an item', async () => {
  const ended: unknown[] = [];
  const watch = capability(async function* (_input: unknown, { signal }) {
    try {
      yield { id: '1' };
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
    } finally {
      ended.push(signal.aborted);
    }
  }).output(stream(Thing));
  const { subscribe: open } = await serve({ things: { watch } });
  for (const isWaiting of [false, true]) {
    const items = await open('subscription { thingsWatch { id } }');
    await items.next();
    const next = isWaiting ? items.next() : undefined;
    next?.catch(() => {});
    await items.return(undefined);
    await expect.poll(() => ended.length).toBe(1);
    expect(ended.splice(0)).toEqual([true]);
  }
});

it('the fields of one operation share a loader, and those of two do not', async () => {
  const loads: unknown[] = [];
  const getThing = capability(z.object({ id: z.string() }), async ({ id }, ctx) => {
    const things = loader(ctx, 'things', (ids: readonly string[]) => {
      loads.push([(ctx as { who?: unknown }).who, ids]);
      return new Map(ids.map((each) => [each, { id: each }]));
    });
    return (await things.load(id)) ?? { id: '' };
  }).output(Thing);
  const list = capability(
    () => [
      { id: '1', next: '2' },
      { id: '3', next: '4' },
    ],
    'query',
  );
  const { ask } = await serve(
    { things: { getThing, list: list.output(z.array(Thing)) } },
    { links: { Thing: { after: ['things.getThing', ({ next }) => next && { id: next }] } } },
  );
  const document = '{ thingsList { after { id } } }';
  const contextOf = (who: string) => ({ req: { headers: { 'x-who': who } } });
  const answers = await Promise.all([
    ask(document, contextOf('Ann')),
    ask(document, contextOf('Bo')),
  ]);
  expect(answers[0]?.data?.['thingsList'][1]).toEqual({ after: { id: '4' } });
  expect(loads).toEqual([
    ['Ann', ['2', '4']],
    ['Bo', ['2', '4']],
  ]);
});

it('two mutations with one idempotency key are two calls', async () => {
  let count = 0;
  const add = capability(z.object({ id: z.string() }), ({ id }) => ({ id: `${id} ${++count}` }))
    .output(Thing)
    .enhance(withIdempotency());
  const { ask } = await serve({ things: { add } });
  const document =
    'mutation { a: thingsAdd(input: { id: "a" }) { id } b: thingsAdd(input: { id: "b" }) { id } }';
  const contextValue = { req: { headers: { 'idempotency-key': '"k"' } } };
  const first = await ask(document, contextValue);
  expect(first).toEqual({ data: { a: { id: 'a 1' }, b: { id: 'b 2' } } });
  expect(await ask(document, contextValue)).toEqual(first);
  expect(count).toBe(2);
});

const getWho = capability((_input: unknown, ctx) => {
  const { who } = ctx as { who?: string };
  if (who === undefined) throw defaultErrors.Unauthorized();
  return who;
}, 'query').output(text());

it.each([
  ['of yoga', { request: new Request('http://x', { headers: { 'x-who': 'Ann' } }) }],
  [
    'of yoga, whose Headers are its own',
    {
      request: {
        headers: { 0: 'no', get: () => null, entries: () => [['x-who', 'Ann']].values() },
      },
    },
  ],
  ['of Apollo and Express', { req: { headers: { 'x-who': 'Ann' } } }],
  ['of mercurius', { reply: { request: { headers: { 'x-who': 'Ann' } } } }],
])('the caller is found in the context %s', async (_name, contextValue) => {
  const { ask } = await serve({ things: { getWho } });
  expect(await ask('{ thingsGetWho }', contextValue)).toEqual({ data: { thingsGetWho: 'Ann' } });
  expect((await ask('{ thingsGetWho }')).errors).toMatchObject([
    { extensions: { code: 'Unauthorized', status: 401 } },
  ]);
});

it.each([
  ['Express', (raw: object) => ({ req: { headers: {}, res: raw } })],
  ['a context with the response', (raw: object) => ({ req: { headers: {} }, res: raw })],
  // The signal of Fastify fires once the body is read, while its caller waits.
  [
    'mercurius',
    (raw: object) => ({
      reply: { raw, request: { headers: {}, signal: AbortSignal.abort() } },
    }),
  ],
])(
  'a response of %s that closes early ends the calls, and one that was sent does not',
  async (_name, contextOf) => {
    const signals: AbortSignal[] = [];
    const wait = capability(async (_input: unknown, { signal }) => {
      signals.push(signal);
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
    }, 'query').output(noContent);
    const isSent = capability((_input: unknown, { signal }) => !signal.aborted, 'query');
    const { ask } = await serve({
      things: { wait, isSent: isSent.output(z.boolean()) },
    });
    const raw = Object.assign(new EventEmitter(), { writableFinished: false });
    const answer = ask('{ a: thingsWait b: thingsWait }', contextOf(raw));
    await expect.poll(() => signals.length).toBe(2);
    raw.emit('close');
    expect((await answer).errors).toMatchObject([
      { extensions: { code: 'ServiceUnavailable' } },
      { extensions: { code: 'ServiceUnavailable' } },
    ]);
    expect(signals.every(({ aborted }) => aborted)).toBe(true);
    const other = Object.assign(new EventEmitter(), { writableFinished: true });
    other.emit('close');
    expect(await ask('{ thingsIsSent }', contextOf(other))).toEqual({
      data: { thingsIsSent: true },
    });
  },
);

it('many fields of one caller are no leak, and all end when the caller of yoga leaves', async () => {
  const warnings: Error[] = [];
  const note = (warning: Error): void => void warnings.push(warning);
  process.on('warning', note);
  onTestFinished(() => void process.off('warning', note));
  let begun = 0;
  const wait = capability(async (_input: unknown, { signal }) => {
    begun++;
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
  }, 'query').output(noContent);
  const { ask } = await serve({ things: { wait } });
  const caller = new AbortController();
  const fields = Array.from({ length: 20 }, (_, at) => `f${at}: thingsWait`);
  const request = { headers: new Headers(), signal: caller.signal };
  const answer = ask(`{ ${fields.join(' ')} }`, { request });
  await expect.poll(() => begun).toBe(20);
  caller.abort();
  expect((await answer).errors).toHaveLength(20);
  await new Promise((resolve) => setImmediate(resolve));
  expect(warnings).toEqual([]);
  const late = await ask('{ thingsWait }', { request });
  expect(late.errors).toMatchObject([{ extensions: { code: 'ServiceUnavailable' } }]);
});
