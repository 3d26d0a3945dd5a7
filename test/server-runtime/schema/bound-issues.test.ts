import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import * as z from 'zod';
import { describe as describeSchema } from '../../../server-runtime/schema/describe.ts';
import type { Issue, ParseResult } from '../../../server-runtime/schema/issues.ts';

const limit = 50;
const inner = z.array(z.object({ b: z.string(), c: z.array(z.number()).optional() }));
const schema = z.strictObject({
  before: z.number(),
  lists: z.record(z.string(), inner).default({}),
  list: z.array(z.number().int().max(9)).max(90).nullable(),
  either: z.union([z.array(z.number()), z.array(z.boolean())]),
  after: z.string(),
});

const value = fc.oneof(fc.integer({ max: 20 }), fc.constantFrom('x', true, null));
const listOf = (item: fc.Arbitrary<unknown>) =>
  fc.oneof(
    fc.array(item, { maxLength: 4 }),
    fc.array(item, { minLength: 40, maxLength: 120 }),
    value,
  );
const list = listOf(value);
const item = fc.oneof(
  fc.record({ b: value, c: fc.oneof({ weight: 9, arbitrary: value }, list) }, { requiredKeys: [] }),
  value,
);
const input = fc.record(
  {
    before: value,
    lists: fc.dictionary(fc.constantFrom('p', 'q'), listOf(item)),
    list,
    either: list,
    after: value,
    more: value,
  },
  { requiredKeys: [] },
);

it('keeps the first issues, and counts the others', () => {
  const parse = describeSchema(schema).validate;
  let omissions = 0;
  fc.assert(
    fc.property(input, (sent) => {
      const { error } = schema.safeParse(sent);
      const result = parse(sent) as Exclude<ParseResult, { ok: true }>;
      expect(result.ok).toBe(error === undefined);
      if (error === undefined) return;
      const first = (issues: readonly object[]): unknown =>
        issues.slice(0, limit).map((issue) => {
          const { path, message, code } = issue as Issue;
          return { path, message, code };
        });
      expect(first(result.issues)).toEqual(first(error.issues));
      expect(result.issues.length + result.omitted).toBe(error.issues.length);
      if (result.omitted > 0) omissions += 1;
    }),
    { numRuns: 500 },
  );
  expect(omissions).toBeGreaterThan(50);
});

it('keeps 50 of half a million issues, and knows how many there are, each time', () => {
  const parse = describeSchema(z.object({ tags: z.array(z.string()) })).validate;
  const tags: unknown[] = Array(500_000).fill(1);
  for (const sent of [tags, tags.concat('x')]) {
    const result = parse({ tags: sent });
    expect(result).toMatchObject({ ok: false, omitted: 499_950 });
    expect(result).toHaveProperty('issues.length', 50);
  }
  expect(parse({ tags: ['x'] })).toEqual({ ok: true, value: { tags: ['x'] } });
});

it.each([
  ['an object', z.object({ tags: z.array(z.string()) })],
  ['a choice', z.object({ tags: z.union([z.string(), z.array(z.email())]) })],
  ['code of the application', z.object({ tags: z.array(z.string()) }).refine(() => true)],
  ['code that takes its time', z.object({ tags: z.array(z.string().refine(async () => true)) })],
  ['a tuple', z.object({ tags: z.tuple([z.string()], z.string().min(2)) })],
])('keeps most of a hundred thousand issues out of %s', async (_what, of) => {
  const result = (await describeSchema(of).validate({
    tags: Array(100_000).fill(1),
  })) as ParseResult;
  expect(result.ok).toBe(false);
  // An issue refers to what was sent.
  const told = JSON.stringify(result, (name, each: unknown) =>
    name === 'input' ? undefined : each,
  );
  expect(told.length).toBeLessThan(20_000);
});

it('gives code of the application no list whose faults were left out', () => {
  const seen: unknown[] = [];
  const strict = z.object({ tags: z.array(z.string().min(2)) }).refine((given) => seen.push(given));
  const tags: unknown[] = Array(60).fill('');
  expect(describeSchema(strict).validate({ tags: [...tags, 1] })).toMatchObject({
    ok: false,
    omitted: 11,
  });
  expect(seen).toEqual([]);
});

it('bounds a schema that holds itself, at every depth', () => {
  const tree: z.ZodType = z.object({
    get children() {
      return z.array(z.union([tree, z.string()]).or(z.lazy(() => tree)));
    },
  });
  const list: z.ZodType = z.lazy(() => z.array(z.lazy(() => list)));
  expect(describeSchema(tree).validate({ children: [{ children: [{}] }] })).toMatchObject({
    ok: false,
    omitted: 0,
  });
  expect(describeSchema(list).validate([[], [Array(70).fill(1)]])).toMatchObject({
    ok: false,
    omitted: 20,
  });
  expect(describeSchema(list).validate([[], [[]]])).toMatchObject({ ok: true });
});

it('spends less on half a million wrong items than a parse of zod', () => {
  const tags = Array(500_000).fill(1);
  const wrong = z.object({ tags: z.array(z.string()) });
  const parse = describeSchema(wrong).validate;
  const cpuOf = (run: (input: unknown) => unknown): number => {
    const start = process.cpuUsage();
    for (let round = 0; round < 3; round++) run({ tags });
    return process.cpuUsage(start).user;
  };
  expect(cpuOf(parse)).toBeLessThan(cpuOf((input) => wrong.safeParse(input)));
});
