import { type Bound, type Branch, type CountName, isFile } from '../document/branch.ts';
import { isNothing } from '../document/read-branches.ts';
import { toTellingBounds } from '../document/type-text.ts';
import { withSameForms } from './compare-checks.ts';

/** A change of the set of values: `other` loses some and may gain some, `unclear` cannot be told. */
export type Effect = 'narrower' | 'wider' | 'other' | 'unclear';

/** A limit that changed. */
export interface LimitChange {
  readonly subject: 'limit' | 'format';
  /** `minimum length` */
  readonly words: string;
  readonly before: string;
  readonly after: string;
  readonly effect: Effect;
}

/** The limits of two branches of one type that differ. */
export function compareLimits(old: Branch, now: Branch): readonly LimitChange[] {
  const [bounds, boundsNow] = [toBounds(old), toBounds(now)];
  const areFiles = isFile(old) && isFile(now);
  return [
    ...counts.flatMap(([name, words, wordsOfFiles = words]) =>
      compareCounts(name, areFiles ? wordsOfFiles : words, [findCount(old, name), findCount(now, name)]),
    ),
    ...toLimit('minimum', [bounds.min, boundsNow.min].map(toBoundText), compareBounds(bounds.min, boundsNow.min, 1)),
    ...toLimit('maximum', [bounds.max, boundsNow.max].map(toBoundText), compareBounds(bounds.max, boundsNow.max, -1)),
    ...toLimit(
      'multiple',
      [old, now].map((each) => toSetText(each.multiples)),
      compareMultiples(old, now),
    ),
    ...compareTexts('items', ...([old, now].map((each) => (each.isUnique ? 'unique' : undefined)) as [])),
    ...(areFiles
      ? toLimit(
          'media type',
          [old, now].map((each) => toSetText(each.mediaTypes)),
          compareMediaTypes(old, now),
        )
      : compareAllFormats(old, now)),
  ];
}

const counts: readonly (readonly [name: CountName, words: string, wordsOfFiles?: string])[] = [
  ['minLength', 'minimum length', 'minimum size'],
  ['maxLength', 'maximum length', 'maximum size'],
  ['minItems', 'least number of items'],
  ['maxItems', 'greatest number of items'],
  ['minProperties', 'least number of fields'],
  ['maxProperties', 'greatest number of fields'],
];

/** The greatest number of items is there, too, where a tuple has only so many. */
function findCount({ type, first, rest, counts: own }: Branch, name: CountName): number | undefined {
  const isClosed = type === 'array' && name === 'maxItems' && rest !== undefined && isNothing(rest);
  return isClosed ? Math.min(first.length, own[name] ?? Number.POSITIVE_INFINITY) : own[name];
}

function compareCounts(name: CountName, words: string, both: readonly (number | undefined)[]) {
  const isLeast = name.startsWith('min');
  const [a = 0, b = 0] = both.map((count) => count ?? (isLeast ? 0 : Number.POSITIVE_INFINITY));
  const texts = both.map((count) => (count === undefined || count === 0 ? undefined : String(count)));
  return toLimit(words, texts, a === b ? undefined : a < b === isLeast ? 'narrower' : 'wider');
}

function toLimit(
  words: string,
  [before = 'none', after = 'none']: readonly (string | undefined)[],
  effect: Effect | undefined,
): readonly LimitChange[] {
  return effect === undefined ? [] : [{ subject: 'limit', words, before, after, effect }];
}

/** A restriction that is there or not, as text. */
export function compareTexts(words: string, before?: string, after?: string): readonly LimitChange[] {
  if (before === after) return [];
  return toLimit(words, [before, after], before === undefined || after === 'refused' ? 'narrower' : 'wider');
}

function toSetText(values: readonly (string | number)[]): string | undefined {
  return values.length === 0 ? undefined : values.join(' and ');
}

/** An integer of more than 0 is at least 1. */
function toBounds(branch: Branch): Pick<Branch, 'min' | 'max'> {
  const { min, max } = toTellingBounds(branch);
  const toInclusive = (bound: Bound | undefined, step: number): Bound | undefined =>
    bound?.isExclusive && branch.type === 'integer' && Number.isInteger(bound.value)
      ? { value: bound.value + step, isExclusive: false }
      : bound;
  return { min: toInclusive(min, 1), max: toInclusive(max, -1) };
}

/** With the sign -1 of upper bounds. */
function compareBounds(old: Bound | undefined, now: Bound | undefined, sign: 1 | -1): Effect | undefined {
  const [a, b] = [old, now].map((bound) => (bound === undefined ? -Infinity : bound.value * sign)) as [number, number];
  const [isOpen, isOpenNow] = [old, now].map((bound) => bound?.isExclusive === true);
  if (a === b && isOpen === isOpenNow) return undefined;
  return b > a || (a === b && isOpenNow) ? 'narrower' : 'wider';
}

function toBoundText(bound: Bound | undefined): string | undefined {
  return bound && `${bound.value}${bound.isExclusive ? ' (exclusive)' : ''}`;
}

function compareMultiples({ multiples: olds }: Branch, { multiples: news }: Branch): Effect | undefined {
  // 0.3 is a multiple of 0.1, whatever binary fractions make of it.
  const isMultiple = (value: number, of: number): boolean => Math.abs(value / of - Math.round(value / of)) < 1e-9;
  const areWithin = (some: readonly number[], all: readonly number[]): boolean =>
    all.every((of) => some.some((value) => isMultiple(value, of)));
  return toEffect(areWithin(news, olds), areWithin(olds, news));
}

/** Every type where there is none: `image/png` is among `image/*`. */
function compareMediaTypes({ mediaTypes: olds }: Branch, { mediaTypes: news }: Branch): Effect | undefined {
  const isAmong = (type: string, types: readonly string[]): boolean =>
    types.some((other) => other === type || (other.endsWith('/*') && type.startsWith(other.slice(0, -1))));
  const areWithin = (some: readonly string[], all: readonly string[]): boolean =>
    all.length === 0 || (some.length > 0 && some.every((type) => isAmong(type, all)));
  return toEffect(areWithin(news, olds), areWithin(olds, news));
}

function toEffect(isNarrower: boolean, isWider: boolean): Effect | undefined {
  if (isNarrower && isWider) return undefined;
  return isNarrower ? 'narrower' : isWider ? 'wider' : 'other';
}

/** Words that zod writes as formats, which are nothing but what their patterns say. */
const spelling = new Set(['starts_with', 'ends_with', 'includes', 'lowercase', 'uppercase', 'regex']);

function compareAllFormats(old: Branch, now: Branch): readonly LimitChange[] {
  const checks = [old.checks, now.checks] as const;
  const [a, b] = [old, now].map((branch) => withSameForms(branch, checks));
  const isSaid = checks.flat().some((check) => check.startsWith('form '));
  return a && b
    ? compareFormats(toTexts(a.formats, a), toTexts(b.formats, b))
    : compareFormats(toFormats(old, now, isSaid), toFormats(now, old, isSaid));
}

/**
 * The formats of a text, its encoding, and the regular expressions beside them. One that belongs to a format does not
 * count where the other side has the format alone, unless none is said (`isSaid`), nor where the text is read as a
 * date.
 */
function toFormats(branch: Branch, other: Branch, isSaid: boolean): readonly string[] {
  const [formats = [], others = []] = [branch, other].map((each) =>
    each.formats.filter((format) => !spelling.has(format)),
  );
  const isValue = branch.kind !== undefined || other.kind !== undefined;
  const [own] = formats[0] === undefined ? [] : branch.patterns;
  // The expression is there on the other side, too, with the word for it or without.
  if (own !== undefined && other.patterns.includes(own)) return toTexts(formats.slice(1), branch);
  const isTelling = others[0] === formats[0] && (other.patterns.length > 0 || !isSaid) && !isValue;
  const patterns = own !== undefined && !isTelling ? branch.patterns.slice(1) : branch.patterns;
  return toTexts(formats, { ...branch, patterns });
}

function toTexts(formats: readonly string[], { encoding, patterns }: Branch): readonly string[] {
  const named = encoding === undefined ? formats : [...formats, encoding];
  return [...new Set([...named, ...patterns.map((pattern) => `/${pattern}/`)])];
}

/** Nobody can tell how two regular expressions differ as sets of texts. */
function compareFormats(olds: readonly string[], news: readonly string[]): readonly LimitChange[] {
  const lost = olds.filter((each) => !news.includes(each));
  const come = news.filter((each) => !olds.includes(each));
  if (lost.length + come.length === 0) return [];
  const isPattern = [...lost, ...come].some((text) => text.startsWith('/'));
  const effect = lost.length === 0 ? 'narrower' : come.length === 0 ? 'wider' : isPattern ? 'unclear' : 'other';
  const [before = 'none', after = 'none'] = [toSetText(lost), toSetText(come)];
  return [{ subject: 'format', words: isPattern ? 'pattern' : 'format', before, after, effect }];
}
