import { type Bound, type Branch, type CountName, isFile } from '../document/branch.ts';
import { isNothing } from '../document/read-branches.ts';
import { toTellingBounds } from '../document/type-text.ts';

/** A limit, a format or a check that changed. */
export interface LimitChange {
  /** ``has the minimum length 3, it was 1`` */
  readonly message: string;
  readonly before?: string;
  readonly after?: string;
  /** The effect on the set of values: `other` loses some and may gain some, `unclear` cannot be told. */
  readonly effect: 'narrower' | 'wider' | 'other' | 'unclear';
}

/** The limits of two branches of one type that differ. */
export function compareLimits(old: Branch, now: Branch): readonly LimitChange[] {
  const areFiles = isFile(old) && isFile(now);
  return [
    ...bounds.flatMap(([words, sign, read]) =>
      compareBounds(areFiles ? words.replace('length', 'size') : words, sign, [read(old), read(now)]),
    ),
    ...compareSets('multiple', [old.multiples, now.multiples], (olds, news) =>
      olds.every((of) => news.some((value) => isMultiple(value, of))),
    ),
    ...compareTexts('items', old.isUnique ? 'unique' : undefined, now.isUnique ? 'unique' : undefined),
    ...(areFiles
      ? compareSets(
          'media type',
          [old.mediaTypes, now.mediaTypes],
          (olds, news) => olds.length === 0 || (news.length > 0 && news.every((type) => isAmong(type, olds))),
        )
      : compareFormats(old, now)),
  ];
}

type ReadBound = (branch: Branch) => Bound | undefined;

/** With the sign -1 of upper bounds. */
const bounds: readonly (readonly [words: string, sign: 1 | -1, read: ReadBound])[] = [
  ['minimum length', 1, toCount('minLength')],
  ['maximum length', -1, toCount('maxLength')],
  ['least number of items', 1, toCount('minItems')],
  ['greatest number of items', -1, toCount('maxItems')],
  ['least number of fields', 1, toCount('minProperties')],
  ['greatest number of fields', -1, toCount('maxProperties')],
  ['minimum', 1, (branch) => toInclusive(toTellingBounds(branch).min, branch, 1)],
  ['maximum', -1, (branch) => toInclusive(toTellingBounds(branch).max, branch, -1)],
];

/** Zero is no least number, and a tuple has its greatest number of items where it is not said, too. */
function toCount(name: CountName): ReadBound {
  return ({ type, first, rest, counts }) => {
    const isClosed = type === 'array' && name === 'maxItems' && rest !== undefined && isNothing(rest);
    const count = isClosed ? Math.min(first.length, counts[name] ?? first.length) : counts[name];
    const isSaid = count !== undefined && (count > 0 || name.startsWith('max'));
    return isSaid ? { value: count, isExclusive: false } : undefined;
  };
}

/** An integer of more than 0 is at least 1. */
function toInclusive(bound: Bound | undefined, { type }: Branch, step: number): Bound | undefined {
  const isWhole = bound?.isExclusive === true && type === 'integer' && Number.isInteger(bound.value);
  return isWhole ? { value: bound.value + step, isExclusive: false } : bound;
}

function compareBounds(words: string, sign: number, [old, now]: readonly (Bound | undefined)[]) {
  const [a = 0, b = 0] = [old, now].map((bound) => (bound === undefined ? -Infinity : bound.value * sign));
  if (a === b && old?.isExclusive === now?.isExclusive) return [];
  const toText = (bound: Bound | undefined) => bound && `${bound.value}${bound.isExclusive ? ' (exclusive)' : ''}`;
  const isNarrower = b > a || (a === b && now?.isExclusive === true);
  return [toLimit(words, [old, now].map(toText), isNarrower ? 'narrower' : 'wider')];
}

function toLimit(
  words: string,
  [before = 'none', after = 'none']: readonly (string | undefined)[],
  effect: LimitChange['effect'],
): LimitChange {
  return { message: `has the ${words} ${after}, it was ${before}`, before, after, effect };
}

/** A restriction that is there or not, as text. */
export function compareTexts(words: string, before?: string, after?: string): readonly LimitChange[] {
  if (before === after) return [];
  return [toLimit(words, [before, after], before === undefined || after === 'refused' ? 'narrower' : 'wider')];
}

type Both<Item> = readonly [olds: readonly Item[], news: readonly Item[]];

/** `takesNoMore`: whether what the second restriction takes, the first takes, too. */
function compareSets<Item>(
  words: string,
  [olds, news]: Both<Item>,
  takesNoMore: (...both: Both<Item>) => boolean,
): readonly LimitChange[] {
  const [isNarrower, isWider] = [takesNoMore(olds, news), takesNoMore(news, olds)];
  if (isNarrower && isWider) return [];
  const texts = [olds, news].map((each) => each.join(' and ') || undefined);
  return [toLimit(words, texts, isNarrower ? 'narrower' : isWider ? 'wider' : 'other')];
}

/** 0.3 is a multiple of 0.1, whatever binary fractions make of it. */
function isMultiple(value: number, of: number): boolean {
  return Math.abs(value / of - Math.round(value / of)) < 1e-9;
}

/** `image/png` is among `image/*`. */
function isAmong(type: string, types: readonly string[]): boolean {
  return types.some((other) => other === type || (other.endsWith('/*') && type.startsWith(other.slice(0, -1))));
}

/** Nobody can tell how two regular expressions differ as sets of texts. */
function compareFormats(old: Branch, now: Branch): readonly LimitChange[] {
  const [tests, others] = [readTests(old), readTests(now)];
  const changed = [...tests].filter(([format, test]) => (others.get(format) ?? test) !== test);
  if (changed.length > 0)
    return changed.map(([format, test]) => toLimit(`expression of ${format}`, [test, others.get(format)], 'unclear'));
  const isValue = old.kind !== undefined || now.kind !== undefined;
  const [olds, news] = [toTexts(old, tests, isValue), toTexts(now, others, isValue)];
  const lost = olds.filter((each) => !news.includes(each));
  const come = news.filter((each) => !olds.includes(each));
  if (lost.length + come.length === 0) return [];
  const isPattern = (text: string): boolean => text.startsWith('/');
  const isOther = ![lost, come].some((texts) => texts.every(isPattern));
  const effect = lost.length === 0 ? 'narrower' : come.length === 0 ? 'wider' : isOther ? 'other' : 'unclear';
  const words = !isOther && [...lost, ...come].some(isPattern) ? 'pattern' : 'format';
  const texts = [lost, come].map((each) => each.join(' and ') || undefined);
  return [toLimit(words, texts, effect)];
}

/** The expressions by which formats are tested, where an own document tells: `form uuid ^[a-f…`. */
function readTests({ checks }: Branch): ReadonlyMap<string, string> {
  const forms = checks.flatMap((check) => [...check.matchAll(/^form (\S+) (.*)$/gs)]);
  return new Map(forms.map(([, format = '', test = '']) => [format, test]));
}

/** The formats of a text, its encoding, and its expressions but those of formats. */
function toTexts(
  { formats, encoding, patterns }: Branch,
  tests: ReadonlyMap<string, string>,
  isValue: boolean,
): readonly string[] {
  const words = [...formats, ...tests.keys(), ...(encoding === undefined ? [] : [encoding])];
  const known = new Set(isValue && formats.length > 0 ? [...tests.values(), patterns[0]] : tests.values());
  return [...new Set([...words, ...patterns.flatMap((each) => (known.has(each) ? [] : [`/${each}/`]))])];
}

/**
 * The checks of an input that JSON Schema cannot say, each a word and what it says: `code 1f0c…`, `flags i of ^a`.
 * Nobody can tell what code lets pass, but whether a check came, went, or reads otherwise.
 */
export function compareChecks(olds: readonly string[], news: readonly string[]): readonly LimitChange[] {
  const kinds = new Set([...olds, ...news].map((check) => check.split(' ', 1)[0] ?? ''));
  return [...kinds].flatMap((kind): readonly LimitChange[] => {
    const [old = [], now = []] = [olds, news].map((checks) =>
      checks.filter((check) => check.split(' ', 1)[0] === kind),
    );
    const isGone = old.length > now.length || old.some((check) => !now.includes(check));
    const isNew = now.length > old.length || now.some((check) => !old.includes(check));
    const name = checkNames[kind] ?? 'check';
    // These say more of a type, which is compared with them.
    if ((!isGone && !isNew) || kind === 'form' || kind === 'value') return [];
    if ((isGone && isNew) || unordered.has(kind)) return [{ message: `has another ${name}`, effect: 'unclear' }];
    const effect = isNew === (kind === 'coerce' || kind === 'catch') ? 'wider' : 'narrower';
    return [{ message: `${isNew ? 'got' : 'lost'} a ${name}`, effect }];
  });
}

const checkNames: Readonly<Record<string, string>> = {
  coerce: 'conversion',
  catch: 'value in the place of a wrong one',
  preprocess: 'conversion before its checks',
  overwrite: 'conversion among its checks',
  words: 'list of words',
  flags: 'flag of a regular expression',
};

/** Their effect on the values that fit depends on their code, or on what else is checked. */
const unordered: ReadonlySet<string> = new Set(['preprocess', 'overwrite', 'words', 'flags']);
