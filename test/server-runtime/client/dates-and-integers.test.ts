import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { createClient } from '../../../server-runtime/client/index.ts';
import {
  capability,
  createServer,
  defineError,
  type GroupTree,
  reply,
  sse,
  stream,
  toFetchHandler,
} from '../../../server-runtime/index.ts';
import { recordLog } from '../../helpers/start-rest.ts';

/** A client of these groups, and what their server logs. */
function open<Tree extends GroupTree>(capabilities: Tree) {
  const log = recordLog();
  const answer = toFetchHandler(createServer({ capabilities, logger: log } as never), {
    calls: true,
  });
  const fetch = async (url: string | URL | Request, init?: RequestInit): Promise<Response> =>
    answer(new Request(url, init));
  return { api: createClient<Tree>({ baseUrl: 'http://a.example', fetch }), log };
}

const at = new Date('2026-03-01T12:00:00.000Z');
const big = 2n ** 63n;

it('takes and gives dates and big integers', async () => {
  const Fields = z.object({ at: z.coerce.date(), size: z.coerce.bigint() });
  const { api } = open({ things: { createThing: capability(Fields, (input) => input) } });
  const made = await api.things.createThing({ at, size: big });
  expect([made.at satisfies Date, made.size satisfies bigint]).toEqual([at, big]);
});

describe('dates and big integers of an answer', () => {
  const Order = z.object({
    at: z.date(),
    paidAt: z.date().nullable(),
    lines: z.array(z.object({ cents: z.bigint(), note: z.string().optional() })),
    rates: z.map(z.string(), z.bigint()),
    tags: z.set(z.string()),
  });
  const lines = [{ cents: 1n }, { cents: big, note: '2' }];
  const order = { at, paidAt: null, lines, rates: new Map([['chf', 3n]]), tags: new Set(['a']) };

  it('are what they are where the schema says so, and maps and sets too', async () => {
    const { api } = open({ getOrder: capability(() => order, 'query').output(Order) });
    const got = await api.getOrder();
    expect(got).toEqual(order);
    expect([got.at satisfies Date, got.lines[1]?.cents satisfies bigint | undefined]).toEqual([
      at,
      big,
    ]);
    expect([
      got.rates.get('chf') satisfies bigint | undefined,
      got.tags.has('a') satisfies boolean,
    ]).toEqual([3n, true]);
  });

  it('are what they are where no schema tells, beside texts that look like them', async () => {
    const rows = Array.from({ length: 3 }, (_, id) => ({
      id,
      at,
      goneAt: id === 1 ? at : null,
      text: at.toISOString(),
    }));
    const { api } = open({
      listRows: capability(() => rows, 'query'),
      getNothing: capability(() => undefined, 'query'),
      getNumber: capability(() => Number.NaN, 'query'),
    });
    expect(await api.listRows()).toEqual(rows);
    expect([await api.getNothing(), await api.getNumber()]).toEqual([null, Number.NaN]);
  });

  it('stand in instances of classes, which are their fields or what they say of themselves', async () => {
    class Row {
      readonly at = at;
      readonly link = new URL('https://a.example/');
      toText = () => 'row';
    }
    const { api } = open({
      getRow: capability(() => ({ row: new Row(), rows: [new Row()] }), 'query'),
    });
    const sent = { at, link: 'https://a.example/' };
    expect(await api.getRow()).toEqual({ row: sent, rows: [sent] });
  });

  it('are refused where they are what nobody can send, and the log says where', async () => {
    const { api, log } = open({
      getLater: capability(() => ({ user: Promise.resolve(1) }), 'query'),
    });
    await expect(api.getLater()).rejects.toMatchObject({ status: 500, name: 'Internal' });
    expect(String(log.errors[0]?.error)).toMatch(
      /getLater returned a value that cannot be sent: .*Promise.*\.user/,
    );
  });

  it('are not looked for where something else than the server answers', async () => {
    const data = { id: 1, at: at.toISOString() };
    const api = createClient<object>({
      baseUrl: 'http://a.example',
      fetch: async () => Response.json({ data }),
    }) as unknown as { readonly getIt: () => Promise<unknown> };
    expect(await api.getIt()).toEqual(data);
  });

  it('are those of the answer that was given', async () => {
    const { api } = open({
      pay: capability(z.object({ isLate: z.boolean() }), ({ isLate }) =>
        isLate ? reply({ value: '2026' }, { status: 202 }) : { value: at },
      )
        .output(z.object({ value: z.date() }))
        .output(z.object({ value: z.string() }), { status: 202 }),
    });
    expect([await api.pay({ isLate: true }), await api.pay({ isLate: false })]).toEqual([
      { value: '2026' },
      { value: at },
    ]);
  });

  it('are in the items of a stream and in the meta of an error', async () => {
    const TooLate = defineError(409, 'TooLate', {
      meta: z.object({ until: z.date(), fee: z.bigint() }),
    });
    const { api } = open({
      watch: capability(async function* () {
        yield { at };
        yield sse({ at }, { event: 'tick' });
        throw TooLate('It is over', { until: at, fee: big });
      }, 'query')
        .output(stream(z.object({ at: z.date() })))
        .errors(TooLate),
      pay: capability(() => {
        throw TooLate('Too late', { until: at, fee: big });
      }).errors(TooLate),
    });
    const items: Date[] = [];
    const read = async (): Promise<void> => {
      for await (const item of await api.watch()) items.push(item.at);
    };
    await expect(read()).rejects.toMatchObject({ name: 'TooLate', meta: { until: at, fee: big } });
    expect(items).toEqual([at, at]);
    const refused = await api.pay.safe();
    if (refused.ok || refused.error.name !== 'TooLate')
      throw new Error('It was not refused as it should be.');
    expect([
      refused.error.meta.until satisfies Date,
      refused.error.meta.fee satisfies bigint,
    ]).toEqual([at, big]);
  });
});

interface Made {
  readonly schema: z.ZodType;
  readonly value: fc.Arbitrary<unknown>;
}

/** Schemas with the values that fit them. */
const { made } = fc.letrec<{ made: Made; leaf: Made; inner: Made }>((tie) => {
  const dates = fc.date({
    noInvalidDate: true,
    min: new Date(-8.64e15 / 2),
    max: new Date(8.64e15 / 2),
  });
  const leaves: readonly Made[] = [
    { schema: z.date(), value: dates },
    { schema: z.bigint(), value: fc.bigInt() },
    {
      schema: z.string(),
      value: fc.oneof(
        fc.string(),
        dates.map((date) => date.toISOString()),
        fc.constant('12'),
      ),
    },
    { schema: z.number(), value: fc.integer() },
    { schema: z.null(), value: fc.constant(null) },
    { schema: z.literal(5n), value: fc.constant(5n) },
    { schema: z.custom(), value: fc.oneof(dates, fc.bigInt(), fc.string()) },
  ];
  const names = fc.constantFrom('a', 'b', 'c', '0', 'length');
  const inner = tie('made');
  return {
    leaf: fc.constantFrom(...leaves),
    inner: fc.oneof(
      inner.map(({ schema, value }) => ({
        schema: z.array(schema),
        value: fc.array(value, { maxLength: 4 }),
      })),
      inner.map(({ schema, value }) => ({
        schema: z.record(z.string(), schema),
        value: fc.dictionary(names, value, { noNullPrototype: true }),
      })),
      inner.map(({ schema, value }) => ({ schema: schema.nullable(), value: fc.option(value) })),
      fc.array(inner, { minLength: 1, maxLength: 3 }).map((items) => ({
        schema: z.tuple(items.map((item) => item.schema) as [z.ZodType]),
        value: fc.tuple(...items.map((item) => item.value)),
      })),
      fc.array(inner, { minLength: 2, maxLength: 3 }).map((options) => ({
        schema: z.union(options.map((option) => option.schema)),
        value: fc.oneof(...options.map((option) => option.value)),
      })),
      fc.dictionary(names, inner, { maxKeys: 4, noNullPrototype: true }).map((fields) => ({
        schema: z.strictObject(
          Object.fromEntries(
            Object.entries(fields).map(([name, field]) => [name, field.schema.optional()]),
          ),
        ),
        value: fc.record(
          Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field.value])),
          {
            requiredKeys: [],
            noNullPrototype: true,
          },
        ),
      })),
    ),
    made: fc.oneof({ depthSize: 'small', withCrossShrink: true }, tie('leaf'), tie('inner')),
  };
});

it('gives what the handler gave, or what its schema makes of it', async () => {
  const values = made.chain(({ schema, value }) => fc.tuple(fc.constant(schema), value));
  await fc.assert(
    fc.asyncProperty(values, async ([schema, value]) => {
      const { api } = open({
        told: capability(() => value, 'query').output(schema as z.ZodType<unknown>),
        untold: capability(() => value, 'query'),
      });
      expect(await api.untold()).toEqual(value);
      // Zod takes a date as an object without fields where a choice has that first.
      expect(await api.told()).toEqual(schema.parse(value));
    }),
    { numRuns: 200 },
  );
});
