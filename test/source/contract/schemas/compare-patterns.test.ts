import { expect, test } from 'vitest';
import * as z from 'zod';
import { compareSchemas } from '../../../../source/contract/schemas/compare-schemas.ts';
import { toApiSchema } from '../../../../source/document/branch.ts';
import { toSchemaJson } from '../../../../source/document/to-schema-json.ts';

/** The classes of a change in an input and in an output. */
function toClasses(before: z.ZodType, after: z.ZodType): readonly string[] {
  return (['input', 'output'] as const).map((direction) => {
    const [old, now] = [before, after].map((each) => toApiSchema(toSchemaJson(each, direction)));
    const [change, ...others] = compareSchemas(old, now, { at: direction, direction });
    expect(others).toEqual([]);
    return `${change?.class} ${change?.rule}`;
  });
}

const narrower = ['breaking input-limit-narrower', 'safe output-limit-narrower'];
const wider = ['safe input-limit-wider', 'risky output-limit-wider'];
const other = ['breaking input-limit-narrower', 'risky output-limit-wider'];
const unclear = ['risky input-unclear', 'risky output-unclear'];

const time = z.iso.time;
const instant = z.iso.datetime;
const matches = (pattern: RegExp) => z.string().regex(pattern);

const known: readonly (readonly [what: string, z.ZodType, z.ZodType, readonly string[]])[] = [
  ['a UUID to one of a version', z.uuid(), z.uuidv4(), narrower],
  ['a UUID of a version to any', z.uuidv7(), z.uuid(), wider],
  ['a UUID to one of another version', z.uuidv4(), z.uuidv7(), other],
  ['any hexadecimal digits to a UUID', z.guid(), z.uuid(), narrower],
  ['an offset that is no longer taken', instant({ offset: true }), instant(), narrower],
  ['an offset that is taken', instant(), instant({ offset: true }), wider],
  ['a precision', instant(), instant({ precision: 3 }), narrower],
  ['another precision', instant({ precision: 0 }), instant({ precision: 3 }), other],
  ['any precision', instant({ precision: 6 }), instant(), wider],
  ['a time without a zone that is no longer taken', instant({ local: true }), instant(), narrower],
  ['a precision of a time of day', time(), time({ precision: 3 }), narrower],
];

test.each(known)('%s', (_what, before, after, expected) => {
  expect(toClasses(before, after)).toEqual(expected);
});

test('a text that fitted an expression and fits no more proves that an input is narrower', () => {
  expect(toClasses(matches(/^[a-z]+$/), matches(/^[a-f]+$/))).toEqual([
    'breaking input-limit-narrower',
    'risky output-limit-wider',
  ]);
});

test('expressions that no example tells apart are unclear', () => {
  expect(toClasses(matches(/^[a-z]{3,9}$/), matches(/^[a-z]{3,8}$/))).toEqual(unclear);
  expect(toClasses(matches(/^[a-c]+$/), matches(/^[a-c]+z?$/))).toEqual(unclear);
});
