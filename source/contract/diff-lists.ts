import type { ArrayShape, Shape, TupleShape } from '../shape/shape.ts';
import type { ContractPlace } from './contract-place.ts';
import { addLeast, addMost } from './diff-strings.ts';
import { addLimit } from './limit-change.ts';

type List = ArrayShape | TupleShape;

/** The differences between two arrays or tuples: an array is a tuple without positions of its own. */
export function diffLists(old: List, now: List, place: ContractPlace): void {
  addLeast('least number of items', [old.minItems, now.minItems], place);
  addMost('greatest number of items', [findMost(old), findMost(now)], place);
  const [before, after] = [old, now].map(({ isUnique }) => (isUnique ? 'unique' : undefined));
  addLimit({ words: 'items', old: before, now: after, effect: now.isUnique ? 'narrower' : 'wider' }, place);
  const positions = Math.max(countPositions(old), countPositions(now));
  for (let index = 0; index < positions; index++)
    compareItems(findItem(old, index), findItem(now, index), { ...place, at: `${place.at}[${index}]` });
  compareItems(findItem(old, positions), findItem(now, positions), { ...place, at: `${place.at}[]` });
}

/** What nothing can be at, the number of items tells. */
function compareItems(old: Shape, now: Shape, place: ContractPlace): void {
  if (old.kind !== 'never' && now.kind !== 'never') place.compare(old, now, place);
}

function findItem(list: List, index: number): Shape {
  if (list.kind === 'array') return list.items();
  return (list.items[index] ?? list.rest)();
}

function countPositions(list: List): number {
  return list.kind === 'tuple' ? list.items.length : 0;
}

function findMost(list: List): number | undefined {
  if (findItem(list, countPositions(list)).kind !== 'never') return list.maxItems;
  return Math.min(countPositions(list), list.maxItems ?? Number.POSITIVE_INFINITY);
}
