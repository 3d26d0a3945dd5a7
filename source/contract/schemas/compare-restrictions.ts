import type { ApiSchema, Branch } from '../../document/branch.ts';
import { isSameJson } from '../../document/fits-branch.ts';
import {
  listOf,
  recordOf,
  type SchemaJson,
  toNumber,
  toSortedText,
} from '../../document/schema-json.ts';
import type { InnerPair } from './finding.ts';
import type { LimitChange } from './limits.ts';

/**
 * What a restriction does with the values of its schema: it takes them (`contains`), refuses them (`not`), or decides
 * by them (`if`).
 */
type Variance = 'takes' | 'refuses' | 'decides';

/** Two schemas of a restriction. Only its effect is reported, since their places are none of a value. */
export interface HeldPair {
  readonly kind: 'held';
  /** `not` */
  readonly word: string;
  readonly variance: Variance;
  readonly before: ApiSchema;
  readonly after: ApiSchema;
}

interface FoundLimit {
  readonly kind: 'limit';
  readonly limit: LimitChange;
}

type Restriction = InnerPair | HeldPair | FoundLimit;

/** Compares what branches have no word for, keyword by keyword, with all that it refers to. */
export function compareRestrictions(old: Branch, now: Branch): readonly Restriction[] {
  const before = old.others;
  const after = now.others;
  const words = new Set([...Object.keys(before), ...Object.keys(after)]);
  if (words.size === 0) return [];
  const toSchema = ({ schema }: Branch, json: unknown): ApiSchema => ({ ...schema, json });
  const inner = (part: string, one: unknown, other: unknown): InnerPair => ({
    kind: 'inner',
    part,
    before: toSchema(old, one),
    after: toSchema(now, other),
  });
  const compareWord = (word: string): readonly Restriction[] => {
    const one = before[word];
    const other = after[word];
    const isMissing = one === undefined || other === undefined;
    if (isCountOfMatches(word, before, after)) return compareCounts(word, before, after);
    if (isMissing && !isRest(word, before, after)) return toOnly(word, before, after);
    if (word === 'allOf') return compareParts([old, now], listOf(one), listOf(other));
    return compareBoth(word, one, other);
  };
  const compareBoth = (word: string, one: unknown, other: unknown): readonly Restriction[] => {
    const variance = variances.get(word);
    if (variance === undefined)
      return isSameJson(one, other) ? [] : [toLimit(word, 'unclear', [one, other])];
    if (variance === 'names') return compareMaps(word, [one, other], inner);
    const pair = inner(parts.get(word) ?? '', one ?? true, other ?? true);
    if (variance === 'holds') return [pair];
    return [{ kind: 'held', word, variance, before: pair.before, after: pair.after }];
  };
  return [...words].flatMap(compareWord);
}

/** What is compared at a place of its own, by its names, or as a whole. */
const variances: ReadonlyMap<string, Variance | 'holds' | 'names'> = new Map([
  ['then', 'holds'],
  ['else', 'holds'],
  ['additionalProperties', 'holds'],
  ['patternProperties', 'names'],
  ['dependentSchemas', 'names'],
  ['dependencies', 'names'],
  ['dependentRequired', 'names'],
  ['not', 'refuses'],
  ['if', 'decides'],
  ['contains', 'takes'],
  ['unevaluatedProperties', 'takes'],
  ['unevaluatedItems', 'takes'],
  ['contentSchema', 'takes'],
]);

const parts: ReadonlyMap<string, string> = new Map([
  ['then', '{then}'],
  ['else', '{else}'],
  ['additionalProperties', '{}'],
]);

/** Whether a keyword describes the rest of the fields or items. Where it is missing, the rest may be anything. */
function isRest(word: string, before: SchemaJson, after: SchemaJson): boolean {
  if (word === 'additionalProperties')
    return [before, after].every((each) => each['patternProperties'] !== undefined);
  return word === 'unevaluatedProperties' || word === 'unevaluatedItems';
}

/** Words whose schemas say nothing without another one beside them. */
const companions: ReadonlyMap<string, string> = new Map([
  ['then', 'if'],
  ['else', 'if'],
  ['additionalProperties', 'patternProperties'],
  ['minContains', 'contains'],
  ['maxContains', 'contains'],
]);

/** Keywords of which nobody knows what they restrict, or whether they restrict anything. */
const unknownWords: ReadonlySet<string> = new Set([
  '$ref',
  '$dynamicRef',
  '$recursiveRef',
  'type',
  'minContains',
]);

/** A restriction more takes fewer values, and one fewer takes more. */
function toOnly(word: string, before: SchemaJson, after: SchemaJson): readonly Restriction[] {
  const companion = companions.get(word) ?? word;
  const isAlone = [before, after].some((each) => each[companion] === undefined);
  if (companion !== word && isAlone) return [];
  // A field that matches a pattern is none of the other fields.
  const isUnclear =
    unknownWords.has(word) ||
    (word === 'patternProperties' &&
      [before, after].some((each) => (each['additionalProperties'] ?? true) !== true));
  if (
    word === 'if' &&
    [before, after].every((each) => (each['then'] ?? each['else']) === undefined)
  )
    return [];
  if (isUnclear) return [toLimit(word, 'unclear')];
  return [toLimit(word, before[word] === undefined ? 'narrower' : 'wider')];
}

function toLimit(
  word: string,
  effect: 'narrower' | 'wider' | 'unclear',
  texts: readonly unknown[] = [],
): FoundLimit {
  const verbs = {
    narrower: `is restricted by \`${word}\` now`,
    wider: `is no longer restricted by \`${word}\``,
    unclear: `has another \`${word}\``,
  };
  return { kind: 'limit', limit: { message: verbs[effect], effect, ...toTexts(texts) } };
}

/** Both sides of a keyword as they were written. */
function toTexts([before, after]: readonly unknown[]): Pick<LimitChange, 'before' | 'after'> {
  return {
    ...(before === undefined ? {} : { before: toSortedText(before) }),
    ...(after === undefined ? {} : { after: toSortedText(after) }),
  };
}

type CountOfMatches = 'minContains' | 'maxContains';

/** Where both count what matches the same schema, the counts say all. */
function isCountOfMatches(
  word: string,
  before: SchemaJson,
  after: SchemaJson,
): word is CountOfMatches {
  const isCount = word === 'minContains' || word === 'maxContains';
  return isCount && isSameJson(before['contains'], after['contains']);
}

/** How many items may match `contains`: at least one by default. */
function compareCounts(
  word: CountOfMatches,
  before: SchemaJson,
  after: SchemaJson,
): readonly Restriction[] {
  const fallback = word === 'minContains' ? 1 : Number.POSITIVE_INFINITY;
  const toCount = (json: SchemaJson): number => toNumber(json[word]) ?? fallback;
  const old = toCount(before);
  const now = toCount(after);
  if (before['contains'] === undefined || old === now) return [];
  return [toLimit(word, now > old === (word === 'minContains') ? 'narrower' : 'wider')];
}

/** The effect of a pair of schemas, as far as one of them is known to take all values of the other. */
export function toHeldLimit(
  { word, variance, before, after }: HeldPair,
  { isWider, isNarrower }: { readonly isWider: boolean; readonly isNarrower: boolean },
): LimitChange | undefined {
  if (isWider && isNarrower) return undefined;
  const message = `has another \`${word}\``;
  const found = { message, ...toTexts([before.json, after.json]) };
  if (variance === 'decides' || isWider === isNarrower) return { ...found, effect: 'unclear' };
  return { ...found, effect: isWider === (variance === 'takes') ? 'wider' : 'narrower' };
}

type ToInner = (part: string, one: unknown, other: unknown) => InnerPair;

/** Compares the schemas, or the lists of fields, of each name: of a pattern, or of a field that is there. */
function compareMaps(
  word: string,
  maps: readonly [before: unknown, after: unknown],
  toInner: ToInner,
): readonly Restriction[] {
  const before = recordOf(maps[0]);
  const after = recordOf(maps[1]);
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].flatMap((name): readonly Restriction[] => {
    const one = before[name];
    const other = after[name];
    if (one === undefined || other === undefined) {
      // Another pattern takes names from each of the others.
      if (word === 'patternProperties') return [toLimit(word, 'unclear')];
      return [toLimit(word, one === undefined ? 'narrower' : 'wider')];
    }
    if (Array.isArray(one) && Array.isArray(other)) return compareNames(word, one, other);
    if (Array.isArray(one) || Array.isArray(other)) return [toLimit(word, 'unclear')];
    return [toInner(word === 'patternProperties' ? `{/${name}/}` : `{with ${name}}`, one, other)];
  });
}

/** Fields that are required where another one is present. */
function compareNames(
  word: string,
  before: readonly unknown[],
  after: readonly unknown[],
): readonly Restriction[] {
  return [
    ...(after.every((name) => before.includes(name)) ? [] : [toLimit(word, 'narrower')]),
    ...(before.every((name) => after.includes(name)) ? [] : [toLimit(word, 'wider')]),
  ];
}

/** The restrictions of several parts, in their order. */
function compareParts(
  [old, now]: readonly [Branch, Branch],
  before: readonly unknown[],
  after: readonly unknown[],
): readonly Restriction[] {
  if (before.length !== after.length) return [toLimit('allOf', 'unclear')];
  return before.flatMap((one, index) =>
    compareRestrictions(
      { ...old, others: recordOf(one) },
      { ...now, others: recordOf(after[index]) },
    ),
  );
}
