import type { Shape } from '../shape/shape.ts';
import { toTypeText } from '../shape/type-text.ts';
import { type ChangeClass, everybody } from './contract-change.ts';
import { type ContractPlace, toFieldName } from './contract-place.ts';

/** How the set of values changes; undefined where nobody can tell. */
export type Effect = 'narrower' | 'wider' | undefined;

export interface LimitChange {
  /** `minimum length`, `pattern`. */
  readonly words: string;
  /** As text; undefined where there is no limit. */
  readonly old: string | undefined;
  readonly now: string | undefined;
  readonly effect: Effect;
}

/** Adds the change of a limit; none where it reads the same. */
export function addLimit({ words, old, now, effect }: LimitChange, place: ContractPlace): void {
  if (old === now) return;
  const { at, direction, changes } = place;
  const [type, reason] = direction === 'input' ? judgeInput(effect) : judgeOutput(effect);
  const [before, after] = [old ?? 'none', now ?? 'none'];
  changes.push({
    class: type,
    at,
    message: `\`${toFieldName(place)}\` has the ${words} ${after}, it was ${before}`,
    reason,
    audience: everybody,
    before,
    after,
  });
}

function judgeInput(effect: Effect): readonly [ChangeClass, string] {
  if (effect === 'wider') return ['safe', 'more values are taken'];
  if (effect === 'narrower') return ['breaking', 'values that were taken are refused'];
  return ['risky', 'values that were taken may be refused'];
}

function judgeOutput(effect: Effect): readonly [ChangeClass, string] {
  if (effect === 'narrower') return ['safe', 'readers were ready for more'];
  return ['risky', 'readers may get values that they did not expect'];
}

/** Adds that two shapes differ in a way that cannot be compared. */
export function addUnclear(old: Shape, now: Shape, place: ContractPlace): void {
  place.changes.push({
    class: 'risky',
    at: place.at,
    message: `\`${toFieldName(place)}\` has other restrictions`,
    reason: 'they cannot be compared',
    audience: everybody,
    before: toTypeText(old),
    after: toTypeText(now),
  });
}
