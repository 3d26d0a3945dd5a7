import type { Bound, NumberShape } from '../../../shape/shape.ts';
import { toTellingBounds } from '../../../shape/to-constraints.ts';
import type { ContractPlace } from '../contract-place.ts';
import { addBound, addEach, addLimit, toLimitText } from './limit-change.ts';

export function diffNumbers(old: NumberShape, now: NumberShape, place: ContractPlace): void {
  const [a, b] = [toBounds(old), toBounds(now)];
  addBound({ words: 'minimum', pair: [a.min, b.min], isNarrower: isAbove }, place);
  addBound({ words: 'maximum', pair: [a.max, b.max], isNarrower: isBelow }, place);
  addMultiples(old.multiples, now.multiples, place);
  addEach({ subject: 'format', words: 'format', pair: [old.formats, now.formats] }, place);
}

function addMultiples(olds: readonly number[], news: readonly number[], place: ContractPlace): void {
  const [isNarrower, isWider] = [areMultiples(news, olds), areMultiples(olds, news)];
  const effect = isNarrower ? 'narrower' : isWider ? 'wider' : 'other';
  addLimit({ subject: 'multiple', words: 'multiple', old: toLimitText(olds), now: toLimitText(news), effect }, place);
}

/** Whether what is a multiple of all of the first is one of all of the second, too. */
function areMultiples(first: readonly number[], second: readonly number[]): boolean {
  return second.every((divisor) => first.some((multiple) => Number.isInteger(multiple / divisor)));
}

function isAbove(one: Bound, other: Bound): boolean {
  return one.value > other.value || (one.value === other.value && one.isExclusive && !other.isExclusive);
}

function isBelow(one: Bound, other: Bound): boolean {
  return one.value < other.value || (one.value === other.value && one.isExclusive && !other.isExclusive);
}

/** An integer of more than 0 is at least 1. */
function toBounds(shape: NumberShape): Pick<NumberShape, 'min' | 'max'> {
  const { min, max } = toTellingBounds(shape);
  const toInclusive = (bound: Bound | undefined, step: number): Bound | undefined =>
    bound?.isExclusive && shape.isInteger && Number.isInteger(bound.value)
      ? { value: bound.value + step, isExclusive: false }
      : bound;
  return { min: toInclusive(min, 1), max: toInclusive(max, -1) };
}
