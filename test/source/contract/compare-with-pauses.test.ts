import { expect, test } from 'vitest';
import { compare, compareWithPauses } from '../../../source/contract/compare.ts';
import type { CompareProgress } from '../../../source/contract/compare-sides.ts';

const OPERATIONS = 4_000;

/** A document of thousands of operations, each with fields of its own. */
function toDocument(type: string): object {
  const names = Array.from({ length: OPERATIONS }, (_, index) => `thing${index}`);
  const toOperation = (name: string) => {
    const fields = Array.from({ length: 8 }, (_, index) => [`${name}${index}`, { type }]);
    const schema = { type: 'object', properties: Object.fromEntries(fields) };
    const content = { 'application/json': { schema } };
    return { operationId: name, responses: { 200: { description: 'Done', content } } };
  };
  const paths = names.map((name) => [`/${name}`, { get: toOperation(name) }]);
  return { openapi: '3.1.0', paths: Object.fromEntries(paths) };
}

const before = toDocument('string');
const after = toDocument('integer');

test('lets a timer run before it has compared all', async () => {
  const progress: CompareProgress[] = [];
  const ends: string[] = [];
  setTimeout(() => ends.push('timer'), 0);
  const diff = await compareWithPauses(before, after, {
    onProgress: (each) => progress.push(each),
  });
  ends.push('comparison');
  expect(ends).toEqual(['timer', 'comparison']);
  expect(progress[0]?.total).toBe(OPERATIONS);
  const counts = progress.map(({ compared }) => compared);
  expect(counts).toEqual(counts.toSorted((a, b) => a - b));
  expect(diff).toEqual(compare(before, after));
});

test('ends at its next pause once it is told to', async () => {
  const stop = new AbortController();
  const progress: CompareProgress[] = [];
  const compared = compareWithPauses(structuredClone(before), after, {
    signal: stop.signal,
    onProgress: (each) => {
      progress.push(each);
      stop.abort();
    },
  });
  await expect(compared).rejects.toThrow(expect.objectContaining({ name: 'AbortError' }));
  expect(progress.length).toBe(1);
  await expect(compareWithPauses({}, {}, { signal: stop.signal })).rejects.toThrow();
});
