import { expect, test } from 'vitest';
import { findFixEdit } from '../../../../source/check/fix/find-fix-edit.ts';
import type { ProblemFix } from '../../../../source/manifest/mistakes/problem-fix.ts';

const toCoerced: ProblemFix = {
  within: 'declaration',
  find: ['born', ':', '*', '.', 'date', '('],
  at: 4,
  where: 'before',
  text: 'coerce.',
};
const withId: ProblemFix = {
  within: 'start',
  find: ['(', '*', '.', 'object', '(', '{'],
  at: 5,
  where: 'after',
  text: ' id: {name}.string(),',
};

/** The source after a fix of the declaration at `cap`; undefined where nothing is fixed. */
function fix(source: string, problemFix: ProblemFix): string | undefined {
  const at = source.lastIndexOf('\n', source.indexOf('cap(')) + 1;
  const line = source.slice(0, at).split('\n').length;
  const edit = findFixEdit(source, problemFix, { line, column: source.indexOf('cap(') - at + 1 });
  return edit && `${source.slice(0, edit.from)}${edit.text}${source.slice(edit.to)}`;
}

test.each([
  ['a field', 'a = cap(z.object({ born: z.date() }))', 'a = cap(z.object({ born: z.coerce.date() }))'],
  ['a field with quotes', "cap(z.object({ 'born': z.date() }))", "cap(z.object({ 'born': z.coerce.date() }))"],
  [
    'over lines, with comments',
    'cap(\n\tz.object({\r\n  born: // of what?\n zod\n.date( ) }))',
    'cap(\n\tz.object({\r\n  born: // of what?\n zod\n.coerce.date( ) }))',
  ],
  [
    'beside the same in a comment',
    'cap(/* born: z.date() */ z.object({ born: z.date() }))',
    'cap(/* born: z.date() */ z.object({ born: z.coerce.date() }))',
  ],
  [
    'beside the same in texts',
    'cap(z.object({ a: z.literal("born: z.date()"), b: z.literal(`${"x"}born: z.date()`), born: z.date() }))',
    'cap(z.object({ a: z.literal("born: z.date()"), b: z.literal(`${"x"}born: z.date()`), born: z.coerce.date() }))',
  ],
  [
    'beside the same in another declaration',
    'cap(z.object({ born: z.date() })); other(z.object({ born: z.date() }))',
    'cap(z.object({ born: z.coerce.date() })); other(z.object({ born: z.date() }))',
  ],
  ['that is there twice', 'cap(z.object({ born: z.date(), in: z.object({ born: z.date() }) }))', undefined],
  ['that is declared elsewhere', 'const born = z.date(); cap(z.object({ born }))', undefined],
])('a date is taken from text: %s', (_, before, after) => {
  expect(fix(before, toCoerced)).toBe(after);
});

test.each([
  ['cap(z.object({ name: z.string() }), run)', 'cap(z.object({ id: z.string(), name: z.string() }), run)'],
  ['cap(z.object({}), run)', 'cap(z.object({ id: z.string() }), run)'],
  ['cap(User, run)', undefined],
  ['cap(User, () => z.object({}))', undefined],
])('a field is added to %s', (before, after) => {
  expect(fix(before, withId)).toBe(after);
});

test('a literal keeps its quotes, and a place that is not a call is left alone', () => {
  const use: ProblemFix = { within: 'declaration', find: ['use', ':', "'a.b'"], at: 2, where: 'instead', text: 'a.c' };
  expect(fix('cap(x).guard(y).deprecated({ use: "a.b" })', use)).toBe('cap(x).guard(y).deprecated({ use: "a.c" })');
  expect(findFixEdit('const cap = 1', use, { line: 1, column: 7 })).toBeUndefined();
  expect(findFixEdit('cap({ use: "a.b" })', use, undefined)).toBeUndefined();
});
