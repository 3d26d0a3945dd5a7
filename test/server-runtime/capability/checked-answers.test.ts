import { PGlite } from '@electric-sql/pglite';
import { type } from 'arktype';
import * as v from 'valibot';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';
import {
  type Answer,
  afterSuccess,
  bytes,
  capability,
  createServer,
  defineMiddleware,
  type Enhancer,
  noContent,
  reply,
  type Schema,
  type ServerOptions,
  silentLogger,
  stream,
  withCache,
  withIdempotency,
  withTimeout,
} from '../../../server-runtime/index.ts';
import { queueTransport } from '../../../server-runtime/queue/index.ts';
import { redisStore } from '../../../server-runtime/stores/redis-store.ts';
import { describeOverSockets, itOverHttp } from '../../helpers/every-door.ts';
import { describeWithRedis, startRedis } from '../../helpers/start-redis.ts';
import { json, startOverSocket } from '../../helpers/start-rest.ts';

/** A schema whose code says how often it has run: a transform, whose result it would not take itself. */
function countTransforms() {
  let runs = 0;
  const schema = z.object({
    at: z.date().transform((date) => {
      runs += 1;
      return date.toISOString();
    }),
  });
  return { schema, runs: () => runs };
}

const day = () => new Date('2027-01-31T00:00:00.000Z');

const passOn = defineMiddleware(({ next }) => next());
const spread = defineMiddleware(async ({ next }) => ({ ...(await next()) }) as Answer);

/** A middleware that looks at the answer of the handler. */
function lookAt(look: (answer: never) => void): Enhancer {
  return defineMiddleware(async ({ next }) => {
    const answer = await next();
    look(answer as never);
    return answer;
  }) as Enhancer;
}

/** The answer to one call of `items.getItem`, which gives `data` around which `around` stands. */
function call(
  handler: () => unknown,
  schema: Schema,
  around: readonly unknown[] = [],
  options: Pick<ServerOptions, 'store'> = {},
): () => Promise<unknown> {
  const getItem = around.reduce<ReturnType<typeof toItem>>(
    (item, enhancer) => item.use(enhancer as never) as never,
    toItem(handler, schema),
  );
  const server = createServer({
    capabilities: { items: { getItem } },
    logger: silentLogger,
    ...options,
  });
  return () => server.invoke({ capability: 'items.getItem', input: {} });
}

const toItem = (handler: () => unknown, schema: Schema) =>
  capability.output(schema)(handler as () => never, 'query');

describeOverSockets('the schema of an answer', () => {
  it.each([
    ['nothing', []],
    ['a timeout', [withTimeout(1000)]],
    ['a middleware', [passOn]],
    ['middleware that stands twice', [passOn, passOn]],
    ['a middleware that looks', [lookAt(() => {})]],
    ['a cache', [withCache({ ttlMs: 1000 })]],
  ])('runs once on the value of the handler where %s stands around it', async (_, around) => {
    const { schema, runs } = countTransforms();
    const get = call(() => ({ at: day() }), schema, around);
    expect(await get()).toEqual({ at: day().toISOString() });
    expect(runs()).toBe(1);
  });

  itOverHttp('runs once also where a middleware puts the value into a reply', async () => {
    const { schema, runs } = countTransforms();
    const around = defineMiddleware(async ({ next }) =>
      reply(await next(), { headers: { x: 'y' } }),
    );
    const { request } = await startOverSocket({
      capabilities: { items: { getItem: toItem(() => ({ at: day() }), schema).use(around) } },
    });
    const response = await request('/items');
    expect([response.headers.get('x'), await response.json()]).toEqual([
      'y',
      { data: { at: day().toISOString() } },
    ]);
    expect(runs()).toBe(1);
  });

  it('lets middleware see the value of the handler, and not what is made of it', async () => {
    const values: unknown[] = [];
    const { schema } = countTransforms();
    await call(() => ({ at: day() }), schema, [lookAt((answer) => values.push(answer))])();
    expect(values).toEqual([{ at: day() }]);
  });

  it('runs once more on another value, which a middleware has made of it', async () => {
    const { schema, runs } = countTransforms();
    expect(await call(() => ({ at: day() }), schema, [spread])()).toEqual({
      at: day().toISOString(),
    });
    expect(runs()).toBe(2);
  });

  it.each([
    ['a field of the value', (answer: { at: Date }) => (answer.at = new Date(0))],
    ['a date in the value', (answer: { at: Date }) => answer.at.setTime(0)],
  ])('runs once more where a middleware has changed %s in place', async (_, change) => {
    const { schema, runs } = countTransforms();
    const get = call(() => ({ at: day() }), schema, [lookAt(change as never)]);
    expect(await get()).toEqual({ at: new Date(0).toISOString() });
    expect(runs()).toBe(2);
  });

  const loose: readonly (readonly [library: string, schema: Schema])[] = [
    ['zod', z.object({ id: z.string(), tags: z.array(z.object({ name: z.string() })) })],
    [
      'zod, with code',
      z.object({
        id: z.string().refine(() => true),
        tags: z.array(z.object({ name: z.string() })),
      }),
    ],
    ['valibot', v.object({ id: v.string(), tags: v.array(v.object({ name: v.string() })) })],
    [
      'arktype',
      type({ '+': 'delete', id: 'string', tags: [{ '+': 'delete', name: 'string' }, '[]'] }),
    ],
  ];
  it.each(loose)('drops a field that a middleware has added in place: %s', async (_, schema) => {
    const add = lookAt((answer: { tags: object[] }) => {
      Object.assign(answer, { secret: 1 });
      for (const tag of answer.tags) Object.assign(tag, { secret: 1 });
    });
    const get = call(() => ({ id: '1', tags: [{ name: 'a' }] }), schema, [add]);
    expect(await get()).toEqual({ id: '1', tags: [{ name: 'a' }] });
  });

  it.each(loose)('refuses what a middleware has broken in place: %s', async (_, schema) => {
    const get = call(() => ({ id: '1', tags: [{ name: 'a' }] }), schema, [
      lookAt((answer: { tags: unknown[] }) => answer.tags.push({ name: 2 })),
    ]);
    await expect(get()).rejects.toThrow('does not fit its output schema: tags');
  });

  it('takes each attempt of a middleware that tries again for itself', async () => {
    let attempts = 0;
    const retry = defineMiddleware(async ({ next }) => next().catch(() => next()));
    const get = call(
      () => ({ n: (attempts += 1) === 1 ? 'x' : attempts }),
      z.object({ n: z.number() }),
      [retry],
    );
    expect(await get()).toEqual({ n: 2 });
  });

  it('holds several declared answers, each by its status, also under a middleware', async () => {
    const run = capability
      .input(z.object({ kind: z.string().optional() }))
      .output(z.object({ n: z.number().transform(String) }))
      .output(z.object({ job: z.string().default('a') }), { status: 202 })
      .output(noContent)(({ kind }) => {
        if (kind === 'job') return reply({}, { status: 202 });
        return kind === 'none' ? reply(null, { status: 204 }) : { n: 1 };
      })
      .use(passOn);
    const { request } = await startOverSocket({ capabilities: { tasks: { run } } });
    const ask = async (kind?: string) => {
      const response = await request('/tasks/run', json({ kind }));
      return [response.status, await response.text()];
    };
    expect(await ask()).toEqual([200, '{"data":{"n":"1"}}']);
    expect(await ask('job')).toEqual([202, '{"data":{"job":"a"}}']);
    expect(await ask('none')).toEqual([204, '']);
  });

  itOverHttp('leaves streams and bytes to be read once, through a middleware too', async () => {
    const watchItems = capability
      .output(stream(z.object({ n: z.number().transform(String) })))(async function* () {
        yield { n: 1 };
        yield { n: 2 };
      }, 'query')
      .use(passOn);
    const readFile = capability
      .output(bytes('text/csv'))(() => new Response('a,b').body as ReadableStream, 'query')
      .route('GET', '/file')
      .use(passOn);
    const { request } = await startOverSocket({
      capabilities: { items: { watchItems, readFile } },
    });
    expect(await (await request('/items/watch-items')).text()).toBe(
      'data: {"n":"1"}\n\ndata: {"n":"2"}\n\n',
    );
    expect(await (await request('/file')).text()).toBe('a,b');
  });

  it('is held by what is no stream before a middleware has gone on', async () => {
    let hasPassed = false;
    const watchItems = toItem(() => [1], stream(z.number()) as never).use(
      lookAt(() => (hasPassed = true)) as never,
    );
    const server = createServer({ capabilities: { items: { watchItems } }, logger: silentLogger });
    await expect(server.invoke({ capability: 'items.watchItems', input: {} })).rejects.toThrow(
      'no async iterable',
    );
    expect(hasPassed).toBe(false);
  });
});

describeOverSockets('a value that does not fit', () => {
  it('is thrown inside of a transaction, which commits nothing', async () => {
    const db = await PGlite.create();
    await db.exec('CREATE TABLE bookings (id text)');
    onTestFinished(() => db.close());
    const withTransaction = defineMiddleware(({ next }) => db.transaction((tx) => next({ tx })));
    const audit: string[] = [];
    const withAudit = defineMiddleware(async ({ next }) => {
      const answer = await next();
      audit.push('done');
      return answer;
    });
    const book = (at: unknown) =>
      capability
        .use(withTransaction)
        .use(withAudit)
        .output(z.object({ at: z.iso.datetime() }))(async (_input, ctx) => {
        await ctx.tx.query("INSERT INTO bookings VALUES ('a')");
        return { at } as { at: string };
      }, 'mutation');
    const { request, log } = await startOverSocket({
      capabilities: {
        bookings: { bookWrong: book('2027-01-31 00:00'), book: book('2027-01-31T00:00:00Z') },
      },
    });
    const readBookings = async () => (await db.query('SELECT id FROM bookings')).rows.length;
    expect((await request('/bookings/book-wrong', { method: 'POST' })).status).toBe(500);
    expect(log.errors).toMatchObject([
      { error: { message: expect.stringContaining('at: Invalid ISO') } },
    ]);
    expect([await readBookings(), audit]).toEqual([0, []]);
    expect((await request('/bookings/book', { method: 'POST' })).status).toBe(200);
    expect([await readBookings(), audit]).toEqual([1, ['done']]);
  });

  it('leaves nothing waiting: neither the work for after success nor a job', async () => {
    const jobsDone: string[] = [];
    const works: string[] = [];
    const send = capability(z.object({ id: z.string() }), ({ id }) => void jobsDone.push(id));
    const queue = queueTransport({ capabilities: { mails: { send } } });
    let attempts = 0;
    const Item = z.object({ n: z.number() });
    const addItem = capability
      // It answers an attempt that failed by another one.
      .use(defineMiddleware(async ({ next }) => next().catch(() => next())))
      .output(Item)(async (_input, ctx) => {
      attempts += 1;
      const id = `attempt ${attempts}`;
      afterSuccess(ctx, () => works.push(id));
      await queue.enqueue('mails.send', { id });
      return { n: attempts === 1 ? 'x' : 1 } as { n: number };
    }, 'mutation');
    const server = createServer({
      capabilities: { items: { addItem } },
      transports: [queue],
      logger: silentLogger,
    });
    await server.start();
    expect(await server.invoke({ capability: 'items.addItem', input: {} })).toEqual({ n: 1 });
    await server.stop();
    expect([works, jobsDone]).toEqual([['attempt 2'], ['attempt 2']]);
  });

  it('does not hold its idempotency key: the call may run again', async () => {
    let runs = 0;
    const handler = () => ({ n: (runs += 1) === 1 ? 'x' : runs }) as { n: number };
    const addItem = capability
      .output(z.object({ n: z.number() }))(handler, 'mutation')
      .use(withIdempotency());
    const { request } = await startOverSocket({ capabilities: { items: { addItem } } });
    const send = async () =>
      (await request('/items', { method: 'POST', headers: { 'idempotency-key': '"a"' } })).status;
    expect([await send(), await send(), await send()]).toEqual([500, 200, 200]);
    expect(runs).toBe(2);
  });

  it('is not kept by a cache', async () => {
    let runs = 0;
    const get = call(() => ({ n: (runs += 1) === 1 ? 'x' : runs }), z.object({ n: z.number() }), [
      withCache({ ttlMs: 60_000 }),
    ]);
    await expect(get()).rejects.toThrow('does not fit its output schema');
    expect([await get(), await get()]).toEqual([{ n: 2 }, { n: 2 }]);
  });
});

const once: readonly (readonly [
  what: string,
  schema: Schema,
  value: () => object,
  sent: object,
])[] = [
  ['a transform', countTransforms().schema, () => ({ at: day() }), { at: day().toISOString() }],
  [
    'a codec',
    z.object({
      at: z.codec(z.date(), z.string(), { decode: String, encode: (text) => new Date(text) }),
    }),
    () => ({ at: day() }),
    { at: String(day()) },
  ],
  ['a default', z.object({ size: z.number().default(10) }), () => ({}), { size: 10 }],
];

/** What a cache and a key keep is the value of the handler, which goes through the schema each time that it comes out. */
function keepCases(toOptions: () => Pick<ServerOptions, 'store'>): void {
  it.each(once)('of %s, the answer from a cache is the same', async (what, schema, value, sent) => {
    let runs = 0;
    const handler = () => {
      runs += 1;
      return value();
    };
    const get = call(handler, schema, [withCache({ ttlMs: 60_000, key: () => what })], toOptions());
    expect([await get(), await get()]).toEqual([sent, sent]);
    expect(runs).toBe(1);
  });

  itOverHttp.each(once)(
    'of %s, the answer that is replayed is the same',
    async (what, schema, value, sent) => {
      let runs = 0;
      const handler = () => {
        runs += 1;
        return value() as never;
      };
      const addItem = capability.output(schema)(handler, 'mutation').use(withIdempotency());
      const { request } = await startOverSocket({
        capabilities: { items: { addItem } },
        ...toOptions(),
      });
      const send = async () => {
        const headers = { 'idempotency-key': `"${what}"` };
        const response = await request('/items', { method: 'POST', headers });
        return [response.headers.get('idempotency-replayed'), await response.json()];
      };
      expect([await send(), await send()]).toEqual([
        [null, { data: sent }],
        ['true', { data: sent }],
      ]);
      expect(runs).toBe(1);
    },
  );

  it.each(once)(
    'of %s, a middleware may spread what came from a cache',
    async (what, schema, value, sent) => {
      const around = [withCache({ ttlMs: 60_000, key: () => `spread ${what}` }), spread];
      const get = call(value, schema, around, toOptions());
      expect([await get(), await get()]).toEqual([sent, sent]);
    },
  );
}

describeOverSockets('in memory', () => keepCases(() => ({})));

describeWithRedis('in a store', () => {
  let url = '';
  beforeAll(async () => {
    ({ url } = await startRedis());
  });
  keepCases(() => ({ store: redisStore(url) }));
});
