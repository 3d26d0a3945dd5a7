import type { Bound, Shape } from '../../../shape/shape.ts';
import { toTypeText } from '../../../shape/type-text.ts';
import type { Effect, LimitRuleId, LimitSubject } from '../../rules/limit-rules.ts';
import { addFound, type ContractPlace } from '../contract-place.ts';

export type Pair<Value> = readonly [old: Value, now: Value];

export interface LimitChange {
  readonly subject: LimitSubject;
  /** `minimum length`, `pattern`. */
  readonly words: string;
  /** As text; undefined where there is no limit. */
  readonly old: string | undefined;
  readonly now: string | undefined;
  readonly effect: Effect;
}

/** Adds the change of a limit; none where it reads the same. */
export function addLimit({ subject, words, old, now, effect }: LimitChange, place: ContractPlace): void {
  if (old === now) return;
  const [before, after] = [old ?? 'none', now ?? 'none'];
  const message = `has the ${words} ${after}, it was ${before}`;
  addFound(`${place.direction}-${subject}-${effect}` as LimitRuleId, { message, before, after }, place);
}

interface CountChange {
  readonly subject: LimitSubject;
  readonly words: string;
  readonly pair: Pair<number | undefined>;
}

/** A count of at least so many; at least zero is not a limit. */
export function addLeast({ subject, words, pair: [old, now] }: CountChange, place: ContractPlace): void {
  const effect = (now ?? 0) > (old ?? 0) ? 'narrower' : 'wider';
  addLimit({ subject, words, old: toText(old || undefined), now: toText(now || undefined), effect }, place);
}

export function addMost({ subject, words, pair: [old, now] }: CountChange, place: ContractPlace): void {
  const effect = (now ?? Number.POSITIVE_INFINITY) < (old ?? Number.POSITIVE_INFINITY) ? 'narrower' : 'wider';
  addLimit({ subject, words, old: toText(old), now: toText(now), effect }, place);
}

interface SetChange {
  readonly subject: LimitSubject;
  readonly words: string;
  readonly pair: Pair<readonly string[]>;
}

/** Restrictions that all hold. */
export function addEach({ subject, words, pair: [old, now] }: SetChange, place: ContractPlace): void {
  const isMore = old.every((text) => now.includes(text));
  const isLess = now.every((text) => old.includes(text));
  if (isMore && isLess) return;
  const effect = isMore ? 'narrower' : isLess ? 'wider' : 'unclear';
  addLimit({ subject, words, old: toLimitText(old), now: toLimitText(now), effect }, place);
}

interface BoundChange {
  readonly words: string;
  readonly pair: Pair<Bound | undefined>;
  /** Whether the first of two bounds lets fewer values pass than the second. */
  readonly isNarrower: (one: Bound, other: Bound) => boolean;
}

export function addBound({ words, pair: [old, now], isNarrower }: BoundChange, place: ContractPlace): void {
  const isStricter = now !== undefined && (old === undefined || isNarrower(now, old));
  const isExclusive = [old, now].every((bound) => bound?.isExclusive ?? true);
  const toBoundText = (bound: Bound | undefined): string | undefined =>
    bound && `${bound.value}${bound.isExclusive && !isExclusive ? ' (exclusive)' : ''}`;
  const change = {
    subject: 'range',
    words: isExclusive ? `exclusive ${words}` : words,
    old: toBoundText(old),
    now: toBoundText(now),
    effect: isStricter ? 'narrower' : 'wider',
  } as const;
  addLimit(change, place);
}

function toText(limit: number | undefined): string | undefined {
  return limit === undefined ? undefined : String(limit);
}

export function toLimitText(limits: readonly (string | number)[]): string | undefined {
  return limits.length === 0 ? undefined : limits.join(' and ');
}

/** Adds that two shapes differ in a way that cannot be compared. */
export function addUnclear(old: Shape, now: Shape, place: ContractPlace): void {
  const texts = { before: toTypeText(old), after: toTypeText(now) };
  addFound(`${place.direction}-unclear`, { message: 'has other restrictions', ...texts }, place);
}
