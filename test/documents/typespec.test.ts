import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { compare } from '../../source/contract/compare.ts';

/** One API of all kinds of values, as TypeSpec wrote it: `npm run documents -- typespec` writes them again. */
function read(version: string): object {
  const text = readFileSync(new URL(`typespec/${version}.yaml`, import.meta.url), 'utf8');
  return parse(text) as object;
}

const versions = ['3.0.0', '3.1.0', '3.2.0'];
const pairs = versions.flatMap((before) => versions.map((after) => [before, after] as const));

it.each(pairs)('one contract is the same in the words of %s and of %s', (before, after) => {
  const { added, removed, changed, server } = compare(read(before), read(after));
  const all = [...added, ...removed, ...changed].flatMap(({ changes }) => changes);
  expect([...all, ...server].map(({ at, message }) => `${at}: ${message}`)).toEqual([]);
});

it('tells one field that is gone in whatever words', () => {
  const after = read('3.1.0') as {
    components: { schemas: { Kinds: { properties: Record<string, object>; required: string[] } } };
  };
  const { Kinds } = after.components.schemas;
  delete Kinds.properties['raw'];
  const { changed } = compare(read('3.0.0'), after);
  const messages = changed.flatMap(({ changes }) =>
    changes.map(({ component }) => component?.message),
  );
  expect([...new Set(messages)]).toEqual(['`Kinds.raw` was removed']);
});
