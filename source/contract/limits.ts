import { type Bound, type Branch, type CountName, isFile } from '../document/branch.ts';
import { isNothing } from '../document/read-branches.ts';
import { toTellingBounds } from '../document/type-text.ts';
import { comparePatterns, findForms } from './compare-patterns.ts';

export interface LimitChange {
  /** `has the minimum length 3, it was 1` */
  readonly message: string;
  readonly before?: string;
  readonly after?: string;
  /** The effect on the set of values: `other` loses some and may gain some, `unclear` cannot be told. */
  readonly effect: 'narrower' | 'wider' | 'other' | 'unclear';
}

export function compareLimits(old: Branch, now: Branch): readonly LimitChange[] {
  const areFiles = isFile(old) && isFile(now);
  const both = <Item>(read: (branch: Branch) => readonly Item[]) => [read(old), read(now)] as const;
  const toList = <Item>(item: Item | undefined) => (item === undefined ? [] : [item]);
  return [
    ...bounds.flatMap(([words, sign, read]) =>
      compareLists<Bound>(areFiles ? words.replace('length', 'size') : words, {
        lists: both((branch) => toList(read(branch))),
        implies: (a, b) =>
          a.value === b.value ? a.isExclusive || !b.isExclusive : (a.value - b.value) * sign > 0,
        toText: ({ value, isExclusive }) => `${value}${isExclusive ? ' (exclusive)' : ''}`,
      }),
    ),
    ...compareLists('multiple', {
      lists: both(({ multiples }) => multiples),
      // 0.3 is a multiple of 0.1, whatever binary fractions make of it.
      implies: (value, of) => Math.abs(value / of - Math.round(value / of)) < 1e-9,
    }),
    ...compareTexts(
      'items',
      old.isUnique ? 'unique' : undefined,
      now.isUnique ? 'unique' : undefined,
    ),
    ...(areFiles
      ? compareLists('media type', {
          lists: both(({ mediaTypes }) => toList(mediaTypes.length === 0 ? undefined : mediaTypes)),
          implies: (types, others) => types.every((type) => isAmong(type, others)),
        })
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

/** A minimum of zero limits nothing. The length of a tuple without a rest is its maximum, also where it is not said. */
function toCount(name: CountName): ReadBound {
  return ({ type, first, rest, counts }) => {
    const isClosed =
      type === 'array' && name === 'maxItems' && rest !== undefined && isNothing(rest);
    const count = isClosed ? Math.min(first.length, counts[name] ?? first.length) : counts[name];
    const isSaid = count !== undefined && (count > 0 || name.startsWith('max'));
    return isSaid ? { value: count, isExclusive: false } : undefined;
  };
}

/** An integer of more than 0 is at least 1. */
function toInclusive(bound: Bound | undefined, { type }: Branch, step: number): Bound | undefined {
  const isWhole =
    bound?.isExclusive === true && type === 'integer' && Number.isInteger(bound.value);
  return isWhole ? { value: bound.value + step, isExclusive: false } : bound;
}

interface Restrictions<Item> {
  readonly lists: readonly [olds: readonly Item[], news: readonly Item[]];
  /** Whether what the first takes, the second takes, too. */
  readonly implies: (strict: Item, loose: Item) => boolean;
  readonly toText?: (item: Item) => string;
}

function compareLists<Item>(
  words: string,
  { lists: [olds, news], implies, toText = String }: Restrictions<Item>,
): readonly LimitChange[] {
  const isWithin = (stricts: readonly Item[], looses: readonly Item[]): boolean =>
    looses.every((loose) => stricts.some((strict) => implies(strict, loose)));
  const [isNarrower, isWider] = [isWithin(news, olds), isWithin(olds, news)];
  if (isNarrower && isWider) return [];
  const texts = [olds, news].map((each) => each.map(toText).join(' and '));
  return [toLimit(words, texts, isNarrower ? 'narrower' : isWider ? 'wider' : 'other')];
}

function toLimit(
  words: string,
  texts: readonly string[],
  effect: LimitChange['effect'],
): LimitChange {
  const [before = '', after = ''] = texts.map((text) => text || 'none');
  return { message: `has the ${words} ${after}, it was ${before}`, before, after, effect };
}

/** A restriction that is there or not, as text. */
export function compareTexts(words: string, before = '', after = ''): readonly LimitChange[] {
  if (before === after) return [];
  return [
    toLimit(words, [before, after], before === '' || after === 'refused' ? 'narrower' : 'wider'),
  ];
}

/** `image/png` is among `image/*`. */
function isAmong(type: string, types: readonly string[]): boolean {
  return types.some(
    (other) => other === type || (other.endsWith('/*') && type.startsWith(other.slice(0, -1))),
  );
}

/** Formats are compared by their names, and regular expressions by examples. */
function compareFormats(old: Branch, now: Branch): readonly LimitChange[] {
  const older = toFormats(old, now);
  const newer = toFormats(now, old);
  const lost = older.filter((each) => !newer.includes(each));
  const gained = newer.filter((each) => !older.includes(each));
  if (lost.length + gained.length === 0) return [];
  const isWithinNewer = lost.every((each) => newer.some((format) => isWithinFormat(format, each)));
  const isWithinOlder = gained.every((each) =>
    older.some((format) => isWithinFormat(format, each)),
  );
  const isPattern = (text: string): boolean => text.startsWith('/');
  const isOther = ![lost, gained].some((texts) => texts.every(isPattern));
  const words = !isOther && [...lost, ...gained].some(isPattern) ? 'pattern' : 'format';
  const toEffect = (): LimitChange['effect'] => {
    if (isWithinNewer) return 'narrower';
    if (isWithinOlder) return 'wider';
    return isOther ? 'other' : comparePatterns(old, now);
  };
  return [toLimit(words, [lost.join(' and '), gained.join(' and ')], toEffect())];
}

/** The formats that take all values of another one. */
const widerFormats: Readonly<Record<string, readonly string[]>> = {
  int8: ['int16', 'int32', 'int64'],
  int16: ['int32', 'int64'],
  int32: ['int64'],
  uint8: ['uint16', 'uint32', 'uint64', 'int16', 'int32', 'int64'],
  uint16: ['uint32', 'uint64', 'int32', 'int64'],
  uint32: ['uint64', 'int64'],
  float: ['double'],
  email: ['idn-email'],
  hostname: ['idn-hostname'],
  uri: ['iri', 'uri-reference', 'iri-reference'],
  url: ['uri', 'iri', 'uri-reference', 'iri-reference'],
  iri: ['iri-reference'],
  'uri-reference': ['iri-reference'],
  uuidv4: ['uuid'],
  uuidv6: ['uuid'],
  uuidv7: ['uuid'],
};

/** Whether a format takes nothing that another one does not. */
function isWithinFormat(narrow: string, wide: string): boolean {
  return narrow === wide || widerFormats[narrow]?.includes(wide) === true;
}

/**
 * The formats of a text, its encoding, and its expressions. That of a format counts only where both documents tell it,
 * as `form uuid ^[a-f…`.
 */
function toFormats(branch: Branch, other: Branch): readonly string[] {
  const { formats, encoding = [], patterns } = branch;
  const tests = findForms(branch);
  const others = findForms(other);
  const isValue = (branch.kind ?? other.kind) !== undefined && formats.length > 0;
  const own = new Set([...tests.values(), ...(isValue ? patterns.slice(0, 1) : [])]);
  const shared = [...tests].flatMap(([format, test]) => (others.has(format) ? [test] : []));
  const expressions = [...patterns.filter((each) => !own.has(each)), ...shared];
  return [
    ...new Set([...formats, ...tests.keys(), encoding].flat()),
    ...expressions.map((each) => `/${each}/`),
  ];
}

/**
 * The checks of an input that JSON Schema cannot say, each a word and what it says: `code 1f0c…`, `flags i of ^a`.
 * Nobody can tell what code lets pass, but whether a check came, went, or reads otherwise.
 */
export function compareChecks(
  olds: readonly string[] = [],
  news: readonly string[] = [],
): readonly LimitChange[] {
  const toKind = (check: string): string => /^\S*/.exec(check)?.[0] ?? '';
  // `form` and `value` say more of a type, which is compared with them.
  const kinds = new Set(
    [...olds, ...news].map(toKind).filter((kind) => kind !== 'form' && kind !== 'value'),
  );
  return [...kinds].flatMap((kind): readonly LimitChange[] => {
    const [old = [], now = []] = [olds, news].map((checks) =>
      checks.filter((check) => toKind(check) === kind),
    );
    const isGone = old.length > now.length || old.some((check) => !now.includes(check));
    const isNew = now.length > old.length || now.some((check) => !old.includes(check));
    if (!isGone && !isNew) return [];
    if ((isGone && isNew) || unordered.test(kind))
      return [{ message: `has another check (${kind})`, effect: 'unclear' }];
    const effect = isNew === (kind === 'coerce' || kind === 'catch') ? 'wider' : 'narrower';
    return [{ message: `${isNew ? 'got' : 'lost'} a check (${kind})`, effect }];
  });
}

/** The checks whose effect on the values that fit depends on their code, or on what else is checked. */
const unordered = /^(preprocess|overwrite|words|flags)$/;
