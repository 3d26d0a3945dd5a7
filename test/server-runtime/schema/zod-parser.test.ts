import { expect, it } from 'vitest';
import * as z from 'zod';
import * as core from 'zod/v4/core';
import * as zod42 from 'zod-4.2';
import { describe as describeSchema } from '../../../server-runtime/schema/describe.ts';
import { isRepeatable } from '../../../server-runtime/schema/zod-parser.ts';

/** One test for each member of zod that `zod-parser.ts` needs: in the newest zod, and in the oldest that projects may have. */
const versions = [
  ['newest', z],
  ['oldest', zod42 as unknown as typeof z],
] as const;

interface Inner {
  run: (payload: Payload, context: object) => Payload | Promise<Payload>;
  readonly def: Readonly<Record<string, unknown>> & { readonly type: string };
}
interface Payload {
  value: unknown;
  issues: core.$ZodRawIssue[];
}

const innerOf = (schema: unknown): Inner => (schema as { readonly _zod: Inner })._zod;
const toPayload = (value: unknown): Payload => ({ value, issues: [] });

it.each(versions)('`run` puts result and issues into its payload, at once: %s', (_, zod) => {
  const { run } = innerOf(zod.object({ a: zod.string().default('x'), b: zod.number() }));
  expect(run(toPayload({ b: 1, c: 2 }), { async: false })).toMatchObject({
    value: { a: 'x', b: 1 },
    issues: [],
  });
  const wrong = run(toPayload({ b: 'x' }), { async: false }) as Payload;
  expect(wrong.issues).toMatchObject([{ code: 'invalid_type', path: ['b'] }]);
});

it.each(versions)('`run` gives a promise where code does, if it may: %s', async (_, zod) => {
  const { run } = innerOf(zod.string().transform(async (text) => text.length));
  const ran = run(toPayload('abc'), { async: true });
  expect(ran).toBeInstanceOf(Promise);
  expect(await ran).toMatchObject({ value: 3, issues: [] });
});

it.each(versions)(
  'the `run` of a list, a record and a tuple can be replaced, and is given the context of the schema around it: %s',
  (_, zod) => {
    const mark = Symbol('mark');
    const parts = {
      array: zod.array(zod.string()),
      record: zod.record(zod.string(), zod.string()),
      tuple: zod.tuple([zod.string()]),
    };
    const calls: string[] = [];
    for (const part of Object.values(parts)) {
      const inner = innerOf(part);
      const { run } = inner;
      inner.run = (payload, context) => {
        if (mark in context) calls.push(inner.def.type);
        return run(payload, context);
      };
    }
    const { run } = innerOf(zod.object(parts));
    void run(toPayload({ array: ['a'], record: {}, tuple: ['a'] }), { async: false, [mark]: true });
    expect(calls.toSorted()).toEqual(['array', 'record', 'tuple']);
  },
);

it.each(versions)('`def` holds the type, the schemas and the functions inside: %s', (_, zod) => {
  const check = () => true;
  const convert = (value: unknown) => value;
  const item = zod.string();
  expect(innerOf(zod.array(item)).def).toMatchObject({ type: 'array', element: item });
  expect(innerOf(zod.lazy(() => item)).def['getter']).toBeTypeOf('function');
  expect(innerOf(zod.transform(convert)).def).toMatchObject({ transform: convert });
  const [refinement] = innerOf(item.refine(check)).def['checks'] as unknown[];
  expect(innerOf(refinement).def).toMatchObject({ fn: check });
  for (const [schema, type] of [
    [item.default('x'), 'default'],
    [item.prefault('x'), 'prefault'],
    [item.catch('x'), 'catch'],
    [zod.record(item, item), 'record'],
    [zod.tuple([item]), 'tuple'],
  ] as const)
    expect(innerOf(schema).def.type).toBe(type);
});

it.each(versions)('a list, a record and a tuple add issues by `push`: %s', (_, zod) => {
  for (const [schema, value] of [
    [zod.array(zod.string()), [1, 2]],
    [zod.record(zod.string(), zod.string()), { a: 1, b: 2 }],
    [zod.tuple([zod.string(), zod.string()]), [1, 2]],
  ] as const) {
    const payload = toPayload(value);
    let count = 0;
    Object.assign(payload.issues, { push: (...issues: unknown[]) => (count += issues.length) });
    void innerOf(schema).run(payload, { async: false });
    expect([innerOf(schema).def.type, count, payload.issues.length]).toEqual([
      innerOf(schema).def.type,
      2,
      0,
    ]);
  }
});

it.each(versions)('a raw issue has the schema from which it comes: %s', (_, zod) => {
  const name = zod.string({ error: 'a name, please' });
  const payload = innerOf(zod.object({ name })).run(toPayload({ name: 1 }), { async: false });
  const [issue] = (payload as Payload).issues;
  expect(innerOf(issue?.inst).def['error']).toBe(innerOf(name).def['error']);
});

it('`finalizeIssue` writes a text by the schema, then by `customError`, then by `localeError`', () => {
  const write = (schema: z.ZodType, config: core.$ZodConfig) => {
    const payload = innerOf(schema).run(toPayload(1), { async: false }) as Payload;
    return core.util.finalizeIssue(payload.issues[0] as never, undefined, config).message;
  };
  const config = { customError: () => 'custom', localeError: () => 'locale' };
  expect(write(z.string({ error: 'own' }), config)).toBe('own');
  expect(write(z.string(), config)).toBe('custom');
  expect(write(z.string(), { localeError: config.localeError })).toBe('locale');
});

it.each(versions)('checks do not run after an issue that is no `continue: true`: %s', (_, zod) => {
  const ran: string[] = [];
  const note = (name: string) => () => {
    ran.push(name);
    return false;
  };
  const going = zod.object({ a: zod.string().refine(note('first')).refine(note('second')) });
  const whole = innerOf(going.refine(note('whole'))).run(toPayload({ a: 'x' }), { async: false });
  expect((whole as Payload).issues.map((issue) => issue.continue)).toEqual([true, true, true]);
  expect(ran).toEqual(['first', 'second', 'whole']);
  void innerOf(going.refine(note('whole'))).run(toPayload({ a: 1 }), { async: false });
  expect(ran).toEqual(['first', 'second', 'whole']);
});

it('leaves alone what an application parses with the same schema', () => {
  const schema = z.array(z.string());
  const wrong = Array.from({ length: 60 }, () => 1);
  expect(describeSchema(schema).validate(wrong)).toMatchObject({ ok: false, omitted: 10 });
  expect(schema.safeParse(wrong).error?.issues).toHaveLength(60);
});

it.each([
  ['fields and formats', z.object({ at: z.iso.datetime(), n: z.coerce.number() }), true],
  ['a recursive schema', z.lazy(() => z.array(z.string())), true],
  ['a transform', z.object({ a: z.string().transform(String) }), false],
  ['a refinement', z.array(z.string().refine(() => true)), false],
  ['a codec', z.codec(z.string(), z.number(), { decode: Number, encode: String }), false],
  ['a default', z.object({ a: z.string().default('x') }), false],
  ['a prefault', z.string().prefault('x'), false],
  ['a catch', z.string().catch('x'), false],
])('knows whether a second run can be told from the first: %s', (_, schema, expected) => {
  expect(isRepeatable(schema)).toBe(expected);
});

it('a wrong input leaves the next one to the compiled schema', () => {
  const schema = z.object({ name: z.string() });
  let runs = 0;
  const inner = innerOf(schema);
  const { run } = inner;
  inner.run = (payload, context) => {
    runs += 1;
    return run(payload, context);
  };
  const { validate } = describeSchema(schema);
  expect(validate({ name: 'a' })).toMatchObject({ ok: true });
  expect(runs).toBe(0);
  expect(validate({ name: 1 })).toMatchObject({ ok: false });
  expect(runs).toBe(1);
  expect(validate({ name: 'b' })).toMatchObject({ ok: true });
  expect(runs).toBe(1);
});
