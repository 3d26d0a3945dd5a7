import type { StringShape } from '../../../shape/shape.ts';
import type { Effect } from '../../rules/limit-rules.ts';
import type { ContractPlace } from '../contract-place.ts';
import { addEach, addLeast, addLimit, addMost, type Pair, toLimitText } from './limit-change.ts';
import { fitsRestrictions, sampleTexts, type TextRestriction, toRestrictions } from './text-restriction.ts';

export function diffStrings(old: StringShape, now: StringShape, place: ContractPlace): void {
  addLeast({ subject: 'length', words: 'minimum length', pair: [old.minLength, now.minLength] }, place);
  addMost({ subject: 'length', words: 'maximum length', pair: [old.maxLength, now.maxLength] }, place);
  diffRestrictions([toRestrictions(old), toRestrictions(now)], place);
  const encodings = [[old.encoding ?? []].flat(), [now.encoding ?? []].flat()] as const;
  addEach({ subject: 'encoding', words: 'encoding', pair: encodings }, place);
}

type Restrictions = Pair<readonly TextRestriction[]>;

function diffRestrictions([olds, news]: Restrictions, place: ContractPlace): void {
  const lost = olds.filter((old) => !news.some((now) => isSame(old, now)));
  const come = news.filter((now) => !olds.some((old) => isSame(old, now)));
  if (lost.length + come.length === 0) return;
  const effect = lost.length === 0 ? 'narrower' : come.length === 0 ? 'wider' : toEffect([olds, news]);
  const [first, second] = [lost[0], come[0]];
  if (lost.length === 1 && come.length === 1 && first?.format !== undefined && first.format === second?.format) {
    const words = `pattern behind the format ${first.format}`;
    return addLimit({ subject: 'pattern', words, old: first.pattern, now: second.pattern, effect }, place);
  }
  const isFormat = [...lost, ...come].some(({ format }) => format !== undefined);
  const toTexts = (all: readonly TextRestriction[]): string | undefined =>
    toLimitText(all.flatMap(({ format, pattern }) => format ?? pattern ?? []));
  const subject = isFormat ? 'format' : 'pattern';
  // A pattern that is there on both sides is not told beside a format.
  const [from, to] = isFormat ? [lost, come] : [olds, news];
  addLimit({ subject, words: subject, old: toTexts(from), now: toTexts(to), effect }, place);
}

/** A format is written with its pattern or without it, by the same hand or another. */
function isSame(one: TextRestriction, other: TextRestriction): boolean {
  if (one.pattern !== undefined && other.pattern !== undefined) return one.pattern === other.pattern;
  return one.format !== undefined && one.format === other.format;
}

/** Regular expressions cannot be compared as sets of texts; but a text that fits the one and not the other shows that they differ. */
function toEffect([olds, news]: Restrictions): Effect {
  const isLost = sampleTexts.some((text) => fitsRestrictions(text, olds) && !fitsRestrictions(text, news));
  return isLost ? 'other' : 'unclear';
}
