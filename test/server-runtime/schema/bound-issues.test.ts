import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import * as z from 'zod';
import { type BoundedContext, boundIssues } from '../../../server-runtime/schema/bound-issues.ts';
import { createSchemaParser } from '../../../server-runtime/schema/schema-parser.ts';

const limit = 3;
const inner = z.array(z.object({ b: z.string(), c: z.array(z.number()).optional() }));
const schema = z.strictObject({
  before: z.number(),
  lists: z.record(z.string(), inner).default({}),
  list: z.array(z.number().int().max(9)).max(2).nullable(),
  either: z.union([z.array(z.number()), z.array(z.boolean())]),
  after: z.string(),
});

const value = fc.oneof(fc.integer({ max: 20 }), fc.constantFrom('x', true, null));
const list = fc.oneof(fc.array(value, { maxLength: 6 }), value);
const item = fc.oneof(fc.record({ b: value, c: list }, { requiredKeys: [] }), value);
const input = fc.record(
  {
    before: value,
    lists: fc.dictionary(fc.constantFrom('p', 'q'), fc.oneof(fc.array(item, { maxLength: 4 }), value)),
    list,
    either: list,
    after: value,
    more: value,
  },
  { requiredKeys: [] },
);

it('keeps the first issues, and counts the others', () => {
  const bounded = boundIssues(schema, limit);
  let omissions = 0;
  fc.assert(
    fc.property(input, (sent) => {
      const expected = schema._zod.run({ value: sent, issues: [] }, { async: false }) as z.core.ParsePayload;
      const ctx: BoundedContext = { async: false };
      const found = bounded._zod.run({ value: sent, issues: [] }, ctx) as z.core.ParsePayload;
      const omitted = ctx.omitted ?? 0;
      if (omitted > 0) omissions += 1;
      expect(found.issues.length + omitted).toBe(expected.issues.length);
      const first = (payload: z.core.ParsePayload): unknown =>
        payload.issues.slice(0, limit).map(({ path, code, message, ...rest }) => ({ path, code, message, keys: rest }));
      expect(JSON.stringify(first(found))).toBe(JSON.stringify(first(expected)));
      if (expected.issues.length === 0) expect(found.value).toEqual(expected.value);
    }),
    { numRuns: 2_000 },
  );
  expect(omissions).toBeGreaterThan(100);
});

it('keeps 50 of half a million issues, and knows how many there are, each time', () => {
  const parse = createSchemaParser(z.object({ tags: z.array(z.string()) }));
  const tags: unknown[] = Array(500_000).fill(1);
  for (const sent of [tags, tags.concat('x')]) {
    const result = parse({ tags: sent });
    expect(result).toMatchObject({ success: false, omitted: 499_950 });
    expect(result).toHaveProperty('issues.length', 50);
  }
  expect(parse({ tags: ['x'] })).toEqual({ success: true, data: { tags: ['x'] } });
});

it('leaves a schema without lists as it is, and one that holds itself finite', () => {
  const plain = z.object({ a: z.string().optional() });
  expect(boundIssues(plain, limit)).toBe(plain);
  const tree = z.object({
    get children() {
      return z.array(tree);
    },
  });
  expect(createSchemaParser(tree)({ children: [{ children: [{}] }] })).toMatchObject({ success: false, omitted: 0 });
});
