import type { Bound, ListShape, NumberShape, ObjectShape, StringShape } from '../../shape/shape.ts';
import { toTellingBounds } from '../../shape/to-constraints.ts';
import { type BothChecks, withSameForms } from './compare-forms.ts';

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

/** A limit as both sides have it, and how two of its values are compared. */
interface Limit {
  readonly words: string;
  readonly before: unknown;
  readonly after: unknown;
  readonly compare: (before: never, after: never) => Effect | undefined;
  readonly toText?: ((value: never) => string | undefined) | undefined;
}

const atLeast = (old = 0, now = 0): Effect | undefined => (now === old ? undefined : now > old ? 'narrower' : 'wider');
const atMost = (old = Infinity, now = Infinity): Effect | undefined =>
  now === old ? undefined : now < old ? 'narrower' : 'wider';

/** `checks`: the rules of both sides, the expressions behind formats among them. */
export function compareStrings(old: StringShape, now: StringShape, checks: BothChecks): readonly LimitChange[] {
  const [a, b] = [old, now].map((shape) => withSameForms(shape, checks));
  const isSaid = checks.flat().some((check) => check.startsWith('form '));
  return [
    ...compareAll([
      { words: 'minimum length', before: old.minLength, after: now.minLength, compare: atLeast },
      { words: 'maximum length', before: old.maxLength, after: now.maxLength, compare: atMost },
    ]),
    ...(a && b
      ? compareFormats(toTexts(a.formats, a), toTexts(b.formats, b))
      : compareFormats(toFormats(old, now, isSaid), toFormats(now, old, isSaid))),
  ];
}

export function compareNumbers(old: NumberShape, now: NumberShape): readonly LimitChange[] {
  const [a, b] = [toBounds(old), toBounds(now)];
  return [
    ...compareAll([
      { words: 'minimum', before: a.min, after: b.min, compare: lowerBound, toText: toBoundText },
      { words: 'maximum', before: a.max, after: b.max, compare: upperBound, toText: toBoundText },
      { words: 'multiple', before: old.multiples, after: now.multiples, compare: multiples, toText: toSetText },
    ]),
    ...compareFormats(old.formats, now.formats),
  ];
}

export function compareFiles(old: StringShape, now: StringShape): readonly LimitChange[] {
  const [types, typesNow] = [old.mediaTypes ?? [], now.mediaTypes ?? []];
  return compareAll([
    { words: 'minimum size', before: old.minLength, after: now.minLength, compare: atLeast },
    { words: 'maximum size', before: old.maxLength, after: now.maxLength, compare: atMost },
    { words: 'media type', before: types, after: typesNow, compare: mediaTypes, toText: toSetText },
  ]);
}

/** `most`: the greatest number of items, also where a tuple has only so many. */
export function compareCounts(
  [old, now]: readonly [ListShape, ListShape],
  [oldMost, most]: readonly [number | undefined, number | undefined],
): readonly LimitChange[] {
  const toUnique = ({ isUnique }: ListShape): string | undefined => (isUnique ? 'unique' : undefined);
  return compareAll([
    { words: 'least number of items', before: old.minItems, after: now.minItems, compare: atLeast },
    { words: 'greatest number of items', before: oldMost, after: most, compare: atMost },
    { words: 'items', before: toUnique(old), after: toUnique(now), compare: flag },
  ]);
}

export function compareFieldCounts(old: ObjectShape, now: ObjectShape): readonly LimitChange[] {
  return compareAll([
    { words: 'least number of fields', before: old.minFields, after: now.minFields, compare: atLeast },
    { words: 'greatest number of fields', before: old.maxFields, after: now.maxFields, compare: atMost },
  ]);
}

/** A restriction that is there or not, as text. */
export function compareTexts(words: string, before: string | undefined, after: string | undefined): LimitChange[] {
  return compareAll([{ words, before, after, compare: flag }]);
}

function compareAll(limits: readonly Limit[]): LimitChange[] {
  return limits.flatMap(({ words, before, after, compare, toText = toPlainText }) => {
    const effect = compare(before as never, after as never);
    if (effect === undefined) return [];
    const [old = 'none', now = 'none'] = [toText(before as never), toText(after as never)];
    return [{ subject: 'limit', words, before: old, after: now, effect }];
  });
}

function toPlainText(value: string | number | undefined): string | undefined {
  return value === undefined || value === 0 ? undefined : String(value);
}

function toSetText(values: readonly (string | number)[]): string | undefined {
  return values.length === 0 ? undefined : values.join(' and ');
}

const flag = (old: string | undefined, now: string | undefined): Effect | undefined => {
  if (old === now) return undefined;
  return old === undefined || now === 'refused' ? 'narrower' : 'wider';
};

function lowerBound(old: Bound | undefined, now: Bound | undefined): Effect | undefined {
  const toRank = (bound: Bound | undefined): readonly [number, number] => [
    bound?.value ?? -Infinity,
    bound?.isExclusive === true ? 1 : 0,
  ];
  const [[a, isOpenA], [b, isOpenB]] = [toRank(old), toRank(now)];
  if (a === b && isOpenA === isOpenB) return undefined;
  return b > a || (a === b && isOpenB > isOpenA) ? 'narrower' : 'wider';
}

function upperBound(old: Bound | undefined, now: Bound | undefined): Effect | undefined {
  const toOpposite = (bound: Bound | undefined): Bound | undefined => bound && { ...bound, value: -bound.value };
  return lowerBound(toOpposite(old), toOpposite(now));
}

function toBoundText(bound: Bound | undefined): string | undefined {
  return bound && `${bound.value}${bound.isExclusive ? ' (exclusive)' : ''}`;
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

function multiples(olds: readonly number[], news: readonly number[]): Effect | undefined {
  // 0.3 is a multiple of 0.1, whatever binary fractions make of it.
  const isMultiple = (value: number, of: number): boolean => Math.abs(value / of - Math.round(value / of)) < 1e-9;
  const areWithin = (some: readonly number[], all: readonly number[]): boolean =>
    all.every((of) => some.some((value) => isMultiple(value, of)));
  return toEffect(areWithin(news, olds), areWithin(olds, news));
}

/** Every type where there is none: `image/png` is among `image/*`. */
function mediaTypes(olds: readonly string[], news: readonly string[]): Effect | undefined {
  const isAmong = (type: string, types: readonly string[]): boolean =>
    types.some((other) => other === type || (other.endsWith('/*') && type.startsWith(other.slice(0, -1))));
  const areWithin = (some: readonly string[], all: readonly string[]): boolean =>
    all.length === 0 || (some.length > 0 && some.every((type) => isAmong(type, all)));
  return toEffect(areWithin(news, olds), areWithin(olds, news));
}

function toEffect(isNarrower: boolean, isWider: boolean): Exclude<Effect, 'unclear'> | undefined {
  if (isNarrower && isWider) return undefined;
  return isNarrower ? 'narrower' : isWider ? 'wider' : 'other';
}

/** Words that zod writes as formats, which are nothing but what their patterns say. */
const spelling = new Set(['starts_with', 'ends_with', 'includes', 'lowercase', 'uppercase', 'regex']);

/**
 * The formats of a text, its encoding, and the regular expressions beside them. One that belongs to a format does not
 * count where the other side has the format alone, unless none is said (`isSaid`), nor where the text is read as a
 * date.
 */
function toFormats(shape: StringShape, other: StringShape, isSaid: boolean): readonly string[] {
  const [formats = [], others = []] = [shape, other].map((each) =>
    each.formats.filter((format) => !spelling.has(format)),
  );
  const isValue = shape.standsFor !== undefined || other.standsFor !== undefined;
  const [own] = formats[0] === undefined ? [] : shape.patterns;
  // The expression is there on the other side, too, with the word for it or without.
  if (own !== undefined && other.patterns.includes(own)) return toTexts(formats.slice(1), shape);
  const isTelling = others[0] === formats[0] && (other.patterns.length > 0 || !isSaid) && !isValue;
  const patterns = own !== undefined && !isTelling ? shape.patterns.slice(1) : shape.patterns;
  return toTexts(formats, { ...shape, patterns });
}

function toTexts(formats: readonly string[], { encoding, patterns }: StringShape): readonly string[] {
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
