import type { ArrayShape, Shape, TupleShape } from '../../shape/shape.ts';
import { addFound, type ContractPlace } from './contract-place.ts';
import { addLeast, addLimit, addMost } from './limits/limit-change.ts';

type List = ArrayShape | TupleShape;

/** The differences between two arrays or tuples: an array is a tuple without positions of its own. */
export function diffLists(old: List, now: List, place: ContractPlace): void {
  addLeast({ subject: 'item-count', words: 'least number of items', pair: [old.minItems, now.minItems] }, place);
  addMost({ subject: 'item-count', words: 'greatest number of items', pair: [findMost(old), findMost(now)] }, place);
  const [before, after] = [old, now].map(({ isUnique }) => (isUnique ? 'unique' : undefined));
  const effect = now.isUnique ? 'narrower' : 'wider';
  addLimit({ subject: 'unique-items', words: 'items', old: before, now: after, effect }, place);
  addLostPositions(old, now, place);
  const positions = Math.max(countPositions(old), countPositions(now));
  for (let index = 0; index < positions; index++)
    compareItems(findItem(old, index), findItem(now, index), { ...place, at: `${place.at}[${index}]` });
  compareItems(findItem(old, positions), findItem(now, positions), { ...place, at: `${place.at}[]` });
}

/** Who reads a tuple counts on its positions, as on the fields of an object. */
function addLostPositions(old: List, now: List, place: ContractPlace): void {
  if (place.direction === 'input') return;
  const promised = Math.min(countPositions(old), old.minItems ?? 0);
  for (let index = now.minItems ?? 0; index < promised; index++)
    addFound('output-position-lost', { message: 'may be missing' }, { ...place, at: `${place.at}[${index}]` });
}

/** The number of items tells where nothing can be. */
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
