import type { Bound, NumberShape } from '../shape.ts';
import { joinLists } from './merge-strings.ts';

export function mergeNumbers(a: NumberShape, b: NumberShape): NumberShape {
  return {
    kind: 'number',
    admitsOthers: a.admitsOthers && b.admitsOthers,
    isInteger: a.isInteger || b.isInteger,
    min: toTighter(a.min, b.min, (one, other) => one > other),
    max: toTighter(a.max, b.max, (one, other) => one < other),
    multiples: joinLists(a.multiples, b.multiples),
    formats: joinLists(a.formats, b.formats),
  };
}

function toTighter(
  a: Bound | undefined,
  b: Bound | undefined,
  isTighter: (one: number, other: number) => boolean,
): Bound | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  if (a.value === b.value) return a.isExclusive ? a : b;
  return isTighter(a.value, b.value) ? a : b;
}
