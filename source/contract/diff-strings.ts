import type { Bound, FileShape, NumberShape, StringShape } from '../shape/shape.ts';
import { toTellingBounds, toTellingPatterns } from '../shape/to-constraints.ts';
import type { ContractPlace } from './contract-place.ts';
import { addLimit, type Effect } from './limit-change.ts';

type Pair<Value> = readonly [old: Value, now: Value];

export function diffStrings(old: StringShape, now: StringShape, place: ContractPlace): void {
  addLeast('minimum length', [old.minLength, now.minLength], place);
  addMost('maximum length', [old.maxLength, now.maxLength], place);
  addEach('format', [old.formats, now.formats], place);
  addEach('pattern', [toTellingPatterns(old), toTellingPatterns(now)], place);
  addEach('encoding', [[old.encoding ?? []].flat(), [now.encoding ?? []].flat()], place);
}

export function diffNumbers(old: NumberShape, now: NumberShape, place: ContractPlace): void {
  const [a, b] = [toBounds(old), toBounds(now)];
  addBound('minimum', { pair: [a.min, b.min], isNarrower: isAbove }, place);
  addBound('maximum', { pair: [a.max, b.max], isNarrower: (one, other) => isAbove(other, one) }, place);
  const effect = areMultiples(now.multiples, old.multiples)
    ? 'narrower'
    : areMultiples(old.multiples, now.multiples)
      ? 'wider'
      : undefined;
  addLimit({ words: 'multiple', old: toList(old.multiples), now: toList(now.multiples), effect }, place);
  addEach('format', [old.formats, now.formats], place);
}

export function diffFiles(old: FileShape, now: FileShape, place: ContractPlace): void {
  addLeast('minimum size', [old.minSize, now.minSize], place);
  addMost('maximum size', [old.maxSize, now.maxSize], place);
  const isNarrower = areWithin(now.mediaTypes, old.mediaTypes);
  const isWider = areWithin(old.mediaTypes, now.mediaTypes);
  if (isNarrower && isWider) return;
  const effect = isNarrower ? 'narrower' : isWider ? 'wider' : undefined;
  addLimit({ words: 'media type', old: toList(old.mediaTypes), now: toList(now.mediaTypes), effect }, place);
}

/** Whether what is a multiple of all of the first is one of all of the second, too. */
function areMultiples(first: readonly number[], second: readonly number[]): boolean {
  return second.every((divisor) => first.some((multiple) => Number.isInteger(multiple / divisor)));
}

/** Whether each of the first is among the second, which are all where there is none: `image/png` is among `image/*`. */
function areWithin(first: readonly string[], second: readonly string[]): boolean {
  if (second.length === 0) return true;
  const isAmong = (type: string): boolean =>
    second.some((other) => other === type || (other.endsWith('/*') && type.startsWith(other.slice(0, -1))));
  return first.length > 0 && first.every(isAmong);
}

/** A count of at least so many; of zero is none. */
export function addLeast(words: string, [old, now]: Pair<number | undefined>, place: ContractPlace): void {
  const effect = (now ?? 0) > (old ?? 0) ? 'narrower' : 'wider';
  addLimit({ words, old: toText(old || undefined), now: toText(now || undefined), effect }, place);
}

export function addMost(words: string, [old, now]: Pair<number | undefined>, place: ContractPlace): void {
  const effect = (now ?? Number.POSITIVE_INFINITY) < (old ?? Number.POSITIVE_INFINITY) ? 'narrower' : 'wider';
  addLimit({ words, old: toText(old), now: toText(now), effect }, place);
}

/** Restrictions that all hold. */
function addEach(words: string, [old, now]: Pair<readonly string[]>, place: ContractPlace): void {
  if (old.length + now.length === 0) return;
  const isMore = old.every((text) => now.includes(text));
  const isLess = now.every((text) => old.includes(text));
  if (isMore && isLess) return;
  const effect = isMore ? 'narrower' : isLess ? 'wider' : undefined;
  addLimit({ words, old: toList(old), now: toList(now), effect }, place);
}

interface BoundChange {
  readonly pair: Pair<Bound | undefined>;
  /** Whether the first of two bounds lets fewer values pass than the second. */
  readonly isNarrower: (one: Bound, other: Bound) => boolean;
}

function addBound(words: string, { pair: [old, now], isNarrower }: BoundChange, place: ContractPlace): void {
  const isStricter = now !== undefined && (old === undefined || isNarrower(now, old));
  const effect: Effect = isStricter ? 'narrower' : 'wider';
  const isExclusive = [old, now].every((bound) => bound?.isExclusive ?? true);
  const toBoundText = (bound: Bound | undefined): string | undefined =>
    bound && `${bound.value}${bound.isExclusive && !isExclusive ? ' (exclusive)' : ''}`;
  addLimit(
    { words: isExclusive ? `exclusive ${words}` : words, old: toBoundText(old), now: toBoundText(now), effect },
    place,
  );
}

function isAbove(one: Bound, other: Bound): boolean {
  return one.value > other.value || (one.value === other.value && one.isExclusive && !other.isExclusive);
}

/** Of integers more than 0 is at least 1. */
function toBounds(shape: NumberShape): Pick<NumberShape, 'min' | 'max'> {
  const { min, max } = toTellingBounds(shape);
  const toInclusive = (bound: Bound | undefined, step: number): Bound | undefined =>
    bound?.isExclusive && shape.isInteger && Number.isInteger(bound.value)
      ? { value: bound.value + step, isExclusive: false }
      : bound;
  return { min: toInclusive(min, 1), max: toInclusive(max, -1) };
}

function toText(limit: number | undefined): string | undefined {
  return limit === undefined ? undefined : String(limit);
}

function toList(limits: readonly (string | number)[]): string | undefined {
  return limits.length === 0 ? undefined : limits.join(' and ');
}
