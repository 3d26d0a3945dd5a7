import {
  type Bound,
  type Branch,
  type CountName,
  type Counts,
  isFile,
  isNumber,
  type ListBranch,
  type NumberBranch,
  type TextBranch,
} from '../../document/branch.ts';
import { toTellingBounds } from '../../document/constraints.ts';
import { isMultiple } from '../../document/fits-branch.ts';
import { isNothing } from '../../document/read-branches.ts';
import { comparePatterns, findForms } from './compare-patterns.ts';

export interface LimitChange {
  /** `has the minimum length 3, it was 1` */
  readonly message: string;
  readonly before?: string;
  readonly after?: string;
  /** The effect on the set of values: `other` loses some and may gain some, `unclear` is unknown. */
  readonly effect: 'narrower' | 'wider' | 'other' | 'unclear';
}

/** Compares the limits of two branches of one type, or of numbers and integers. */
export function compareLimits(old: Branch, now: Branch): readonly LimitChange[] {
  if (old.type === 'string' && now.type === 'string') return compareTextLimits(old, now);
  if (old.type === 'array' && now.type === 'array') return compareListLimits(old, now);
  if (old.type === 'object' && now.type === 'object')
    return [
      ...compareCounts('least number of fields', 'minProperties', [old, now]),
      ...compareCounts('greatest number of fields', 'maxProperties', [old, now]),
    ];
  return isNumber(old) && isNumber(now) ? compareNumberLimits(old, now) : [];
}

function compareTextLimits(old: TextBranch, now: TextBranch): readonly LimitChange[] {
  const areFiles = isFile(old) && isFile(now);
  const words = areFiles ? 'size' : 'length';
  const byExamples = () => comparePatterns(old, now);
  return [
    ...compareCounts(`minimum ${words}`, 'minLength', [old, now]),
    ...compareCounts(`maximum ${words}`, 'maxLength', [old, now]),
    ...compareMediaTypes(old, now),
    ...(areFiles ? [] : compareFormats(toFormats(old, now), toFormats(now, old), byExamples)),
  ];
}

function compareMediaTypes(old: TextBranch, now: TextBranch): readonly LimitChange[] {
  const toTypes = ({ mediaTypes }: TextBranch) => (mediaTypes.length === 0 ? [] : [mediaTypes]);
  return compareLists('media type', {
    older: toTypes(old),
    newer: toTypes(now),
    implies: (types, others) => types.every((type) => isAmong(type, others)),
  });
}

function compareNumberLimits(old: NumberBranch, now: NumberBranch): readonly LimitChange[] {
  const toMin = (branch: NumberBranch) => toInclusive(toTellingBounds(branch).min, branch, 1);
  const toMax = (branch: NumberBranch) => toInclusive(toTellingBounds(branch).max, branch, -1);
  return [
    ...compareBounds('minimum', 1, [toMin(old), toMin(now)]),
    ...compareBounds('maximum', -1, [toMax(old), toMax(now)]),
    ...compareLists('multiple', {
      older: old.multiples,
      newer: now.multiples,
      implies: isMultiple,
    }),
    ...compareFormats(old.formats, now.formats, () => 'other'),
  ];
}

function compareListLimits(old: ListBranch, now: ListBranch): readonly LimitChange[] {
  const toUnique = ({ isUnique }: ListBranch) => (isUnique ? 'unique' : undefined);
  return [
    ...compareCounts('least number of items', 'minItems', [old, now]),
    ...compareCounts('greatest number of items', 'maxItems', [withLength(old), withLength(now)]),
    ...compareTexts('items', toUnique(old), toUnique(now)),
  ];
}

/** The length of a tuple without a rest is its maximum, also where the schema does not state it. */
function withLength(branch: ListBranch): ListBranch {
  const { first, rest, counts } = branch;
  if (rest === undefined || !isNothing(rest)) return branch;
  const maxItems = Math.min(first.length, counts.maxItems ?? first.length);
  return { ...branch, counts: { ...counts, maxItems } };
}

interface Counted {
  readonly counts: Counts;
}

/** A minimum of zero limits nothing. */
function compareCounts(
  words: string,
  name: CountName,
  [old, now]: readonly [Counted, Counted],
): readonly LimitChange[] {
  const isLeast = name.startsWith('min');
  const toBound = ({ counts }: Counted): Bound | undefined => {
    const count = counts[name];
    const isLimit = count !== undefined && (count > 0 || !isLeast);
    return isLimit ? { value: count, isExclusive: false } : undefined;
  };
  return compareBounds(words, isLeast ? 1 : -1, [toBound(old), toBound(now)]);
}

/** `sign`: -1 of upper bounds. */
function compareBounds(
  words: string,
  sign: 1 | -1,
  [old, now]: readonly [Bound | undefined, Bound | undefined],
): readonly LimitChange[] {
  return compareLists<Bound>(words, {
    older: old === undefined ? [] : [old],
    newer: now === undefined ? [] : [now],
    implies: (a, b) =>
      a.value === b.value ? a.isExclusive || !b.isExclusive : (a.value - b.value) * sign > 0,
    toText: ({ value, isExclusive }) => `${value}${isExclusive ? ' (exclusive)' : ''}`,
  });
}

/** An integer of more than 0 is at least 1. */
function toInclusive(
  bound: Bound | undefined,
  { type }: NumberBranch,
  step: number,
): Bound | undefined {
  const isWhole =
    bound?.isExclusive === true && type === 'integer' && Number.isInteger(bound.value);
  return isWhole ? { value: bound.value + step, isExclusive: false } : bound;
}

interface Restrictions<Item> {
  readonly older: readonly Item[];
  readonly newer: readonly Item[];
  /** Whether what the first takes, the second takes, too. */
  readonly implies: (strict: Item, loose: Item) => boolean;
  readonly toText?: (item: Item) => string;
}

function compareLists<Item>(
  words: string,
  { older, newer, implies, toText = String }: Restrictions<Item>,
): readonly LimitChange[] {
  const isWithin = (stricts: readonly Item[], looses: readonly Item[]): boolean =>
    looses.every((loose) => stricts.some((strict) => implies(strict, loose)));
  const isNarrower = isWithin(newer, older);
  const isWider = isWithin(older, newer);
  if (isNarrower && isWider) return [];
  const texts = [older, newer].map((each) => each.map(toText).join(' and '));
  return [toLimit(words, texts, toEffect(isNarrower, isWider))];
}

function toEffect(isNarrower: boolean, isWider: boolean): LimitChange['effect'] {
  if (isNarrower) return 'narrower';
  return isWider ? 'wider' : 'other';
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

/** Whether each of the formats takes all that one of the others does. */
function areWithin(formats: readonly string[], others: readonly string[]): boolean {
  return formats.every((wide) => others.some((narrow) => isWithinFormat(narrow, wide)));
}

/** Formats are compared by their names, and the expressions among them by examples: `byExamples`. */
function compareFormats(
  older: readonly string[],
  newer: readonly string[],
  byExamples: () => LimitChange['effect'],
): readonly LimitChange[] {
  const lost = older.filter((each) => !newer.includes(each));
  const gained = newer.filter((each) => !older.includes(each));
  if (lost.length + gained.length === 0) return [];
  const isPattern = (text: string): boolean => text.startsWith('/');
  const isOther = ![lost, gained].some((texts) => texts.every(isPattern));
  const words = !isOther && [...lost, ...gained].some(isPattern) ? 'pattern' : 'format';
  const byName = toEffect(areWithin(lost, newer), areWithin(gained, older));
  const effect = byName === 'other' && !isOther ? byExamples() : byName;
  return [toLimit(words, [lost.join(' and '), gained.join(' and ')], effect)];
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
 * The formats of a text, its encoding, and its expressions. The expression behind a format counts only where both
 * documents have it, as `form uuid ^[a-f…`.
 */
function toFormats(branch: TextBranch, other: TextBranch): readonly string[] {
  const { formats, encoding = [], patterns } = branch;
  const tests = findForms(branch);
  const others = findForms(other);
  const isValue = (branch.kind ?? other.kind) !== undefined && formats.length > 0;
  const own = new Set([...tests.values(), ...(isValue ? patterns.slice(0, 1) : [])]);
  const shared = [...tests].flatMap(([format, test]) => (others.has(format) ? [test] : []));
  const telling = patterns.filter((each) => !own.has(each) && !takesAll.test(each));
  const expressions = [...telling, ...shared];
  return [
    ...new Set([...formats, ...tests.keys(), encoding].flat()),
    ...expressions.map((each) => `/${each}/`),
  ];
}

/** An expression that matches any text. */
const takesAll = /^(?:\^?(?:\.\*)?|(?:\.\*)?\$)$/;

/**
 * The checks of an input that JSON Schema cannot say, each a word and what it says: `code 1f0c…`, `flags i of ^a`.
 * What code lets pass is not known, but a check that was added, removed or written anew is seen.
 */
export function compareChecks(
  older: readonly string[] = [],
  newer: readonly string[] = [],
): readonly LimitChange[] {
  // `form` and `value` say more of a type, which is compared with them.
  const kinds = new Set(
    [...older, ...newer].map(toCheckKind).filter((kind) => kind !== 'form' && kind !== 'value'),
  );
  return [...kinds].flatMap((kind): readonly LimitChange[] => {
    const old = older.filter((check) => toCheckKind(check) === kind);
    const now = newer.filter((check) => toCheckKind(check) === kind);
    const isLost = hasOthers(old, now);
    const isNew = hasOthers(now, old);
    if (!isLost && !isNew) return [];
    if ((isLost && isNew) || unordered.test(kind))
      return [{ message: `has another check (${kind})`, effect: 'unclear' }];
    const effect = isNew === lenient.test(kind) ? 'wider' : 'narrower';
    return [{ message: `${isNew ? 'got' : 'lost'} a check (${kind})`, effect }];
  });
}

function toCheckKind(check: string): string {
  return /^\S*/.exec(check)?.[0] ?? '';
}

/** Whether some checks are none of the others, or more of the same. */
function hasOthers(checks: readonly string[], others: readonly string[]): boolean {
  return checks.length > others.length || checks.some((check) => !others.includes(check));
}

/** The checks that let more values pass. */
const lenient = /^(coerce|catch)$/;

/** The checks whose effect on the values that fit depends on their code, or on what else is checked. */
const unordered = /^(preprocess|overwrite|words|flags)$/;
