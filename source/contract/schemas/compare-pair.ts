import { type ApiSchema, type Branch, toTarget } from '../../document/branch.ts';
import { findTag, isExclusive, toBranches, toRefName } from '../../document/read-branches.ts';
import { recordOf, textOf } from '../../document/schema-json.ts';
import { toTypeText } from '../../document/type-text.ts';
import { groupBy } from '../../values/once.ts';
import { compareBranches } from './compare-branches.ts';
import {
  type Direction,
  type Finding,
  type FoundPart,
  toFinding,
  toInner,
  toLimitFinding,
  toValueChange,
  unclear,
} from './finding.ts';
import type { LimitChange } from './limits.ts';
import { type Admits, type BranchPairs, pairBranches, toKindName, toTag } from './pair-branches.ts';

/** Compares two schemas, but for those inside of them. `admits` says which branches of a union cover others. */
export function comparePair(
  before: ApiSchema,
  after: ApiSchema,
  { direction, admits }: { readonly direction: Direction; readonly admits: Admits },
): readonly Finding[] {
  const older = toTargetBranches(before);
  const newer = toTargetBranches(after);
  // The branches of unions that are too long to intersect are not known.
  if ([...older, ...newer].some(({ isPartial }) => isPartial))
    return [toLimitFinding(unclear, direction)];
  const { pairs, lost, gained } = pairBranches(older, newer, admits);
  return [
    ...compareValueTypes(before, after),
    ...(lost.length + gained.length === 0
      ? []
      : [toTypeChange([before, after], { lost, gained }, direction)]),
    ...compareOverlaps([before, older], [after, newer], { direction, admits }),
    ...compareTagWords(before, after, pairs).map((found) => toTagFinding(found, direction)),
    ...pairs.flatMap(([old, now]) =>
      old.component === undefined || now.component === undefined
        ? compareBranches(old, now, direction)
        : // One of several, or of several parts: others refer to it, too.
          [toInner('', old.component, now.component)],
    ),
  ];
}

function toTagFinding(found: TagChange, direction: Direction): FoundPart {
  if (found.kind === 'field') return toLimitFinding(found.limit, direction);
  const rule = `${direction}-values-${found.kind === 'lost' ? 'narrower' : 'wider'}` as const;
  return toFinding(rule, { message: found.words }, `.${found.field}`);
}

/** The branches of the schema behind a bare reference, without the name that the reference gives them. */
function toTargetBranches(schema: ApiSchema): readonly Branch[] {
  return toBranches({ ...schema, json: toTarget(schema) });
}

/** Compares what holds for two schemas as wholes, whatever their branches are. */
export function compareWholes(
  before: ApiSchema,
  after: ApiSchema,
  direction: Direction,
): readonly Finding[] {
  return [...compareValueTypes(before, after), ...compareChoices(before, after, direction)];
}

function compareValueTypes(before: ApiSchema, after: ApiSchema): readonly Finding[] {
  const value = findWholeValues(toBranches(before));
  const valueNow = findWholeValues(toBranches(after));
  if (value === valueNow) return [];
  return [toValueChange(value || toTypeText(before), valueNow || toTypeText(after))];
}

/** A value that fits two branches of an `anyOf` is refused once that is a `oneOf`. Whether one does is unknown. */
function compareChoices(
  before: ApiSchema,
  after: ApiSchema,
  direction: Direction,
): readonly Finding[] {
  const older = toBranches(before);
  const newer = toBranches(after);
  const was = isOneOf(before, older);
  if (older.length * newer.length < 4 || was === isOneOf(after, newer)) return [];
  return [toLimitFinding(was ? takenTwice : refusedTwice, direction)];
}

const refusedTwice: LimitChange = {
  message: 'is refused where two of its choices fit, if there is such a value',
  effect: 'unclear',
};

const takenTwice: LimitChange = {
  message: 'is taken where two of its choices fit',
  effect: 'wider',
};

type Read = readonly [schema: ApiSchema, branches: readonly Branch[]];

/** Where two choices of a `oneOf` take what one branch took, those values are refused: both fit. */
function compareOverlaps(
  [before, older]: Read,
  [after, newer]: Read,
  { direction, admits }: { readonly direction: Direction; readonly admits: Admits },
): readonly Finding[] {
  const isSplit = (branches: readonly Branch[], choices: readonly Branch[]): boolean =>
    branches.some((old) => {
      const isWithin = (choice: Branch): boolean => admits(choice, old);
      const alike = choices.filter((choice) => isWithin(choice) || admits(old, choice));
      return alike.length > 1 && alike.some(isWithin);
    });
  const was = isOneOf(before, older);
  const is = isOneOf(after, newer);
  const message = 'is refused where two of its choices fit';
  if (is && !was && isSplit(older, newer))
    return [toLimitFinding({ message, effect: 'narrower' }, direction)];
  if (was && !is && isSplit(newer, older)) return [toLimitFinding(takenTwice, direction)];
  return compareChoices(before, after, direction);
}

/**
 * The names of values such as maps and sets. JSON Schema takes them for anything, and the inferred client gets them
 * whole.
 */
function findWholeValues(branches: readonly Branch[]): string {
  const checks = branches.flatMap((branch) => branch.checks);
  return [...new Set(checks)].flatMap((check) => /^value (.*)$/.exec(check)?.[1] ?? []).join(' | ');
}

/** Whether a value that fits two of several branches is refused. One of another type or tag fits one alone. */
function isOneOf(schema: ApiSchema, branches: readonly Branch[]): boolean {
  const types = branches.map(({ type }) => (type === 'integer' ? 'number' : type));
  const areApart = !types.includes('any') && new Set(types).size === types.length;
  return isExclusive(schema) && !areApart && findTag(branches) === undefined;
}

/** The fields by which one of several objects without a name is known: ``with `email` ``. */
function toNeed(branch: Branch): string {
  if (branch.type !== 'object' || branch.name !== undefined || branch.isRecord) return '';
  const names = [...branch.required].slice(0, MAX_NAMES).map((name) => `\`${name}\``);
  return names.length === 0 ? 'without a required field' : `with ${names.join(', ')}`;
}

const MAX_NAMES = 4;

function toTypeChange(
  [old, now]: readonly [ApiSchema, ApiSchema],
  { lost, gained }: Pick<BranchPairs, 'lost' | 'gained'>,
  direction: Direction,
): Finding {
  const before = toTypeText(old);
  const after = toTypeText(now);
  // The objects of a union differ by a tag, which says more than the words for the whole.
  const isTagged = [...lost, ...gained].every((branch) => toTag(branch) !== '');
  const toWords = (verb: string, branches: readonly Branch[]): readonly string[] => {
    const names = branches.map((branch) =>
      `${branch.name ?? toKindName(branch)} ${toTag(branch) || toNeed(branch)}`.trim(),
    );
    return names.length === 0 ? [] : [`${verb} ${names.join(', ')}`];
  };
  const words = [...toWords('lost', lost), ...toWords('gained', gained)].join(' and ');
  const message = before === after || isTagged ? words : `changed from ${before} to ${after}`;
  const isNarrower = direction === 'input' ? lost.length > 0 : gained.length === 0;
  const rule = `${direction}-type-${isNarrower ? 'narrower' : 'wider'}` as const;
  return toFinding(rule, { message, before, after });
}

/** A change of the words by which a `discriminator` distinguishes the variants of a union. */
type TagChange =
  | { readonly kind: 'field'; readonly limit: LimitChange }
  | { readonly kind: 'lost' | 'gained'; readonly field: string; readonly words: string };

interface Discriminator {
  readonly field: string;
  /** The words of each variant, by the name of its component. */
  readonly words: ReadonlyMap<string, readonly string[]>;
}

/**
 * Compares the words that stand for variants in the field of a `discriminator`. Only a written `mapping` counts.
 * Without one, the names of components are the words, and generators rename those although the sent values stay.
 */
function compareTagWords(
  before: ApiSchema,
  after: ApiSchema,
  pairs: readonly (readonly [old: Branch, now: Branch])[],
): readonly TagChange[] {
  const old = findDiscriminator(before);
  const now = findDiscriminator(after);
  if (old === undefined || now === undefined) return [];
  if (old.field !== now.field) {
    const message = `has its variants told apart by \`${now.field}\`, it was \`${old.field}\``;
    return [{ kind: 'field', limit: { message, effect: 'other' } }];
  }
  return pairs.flatMap(([variant, successor]): readonly TagChange[] => {
    const words = old.words.get(variant.name ?? '');
    const wordsNow = now.words.get(successor.name ?? '');
    if (words === undefined || wordsNow === undefined) return [];
    const toChange = (kind: 'lost' | 'gained', some: readonly string[]): readonly TagChange[] =>
      some.length === 0
        ? []
        : [{ kind, field: now.field, words: `of ${successor.name} ${kind} ${some.join(', ')}` }];
    return [
      ...toChange('lost', toOthers(words, wordsNow)),
      ...toChange('gained', toOthers(wordsNow, words)),
    ];
  });
}

function toOthers(words: readonly string[], others: readonly string[]): readonly string[] {
  return words.filter((word) => !others.includes(word)).map((word) => JSON.stringify(word));
}

function findDiscriminator(schema: ApiSchema): Discriminator | undefined {
  const { propertyName, mapping } = recordOf(recordOf(toTarget(schema))['discriminator']);
  const field = textOf(propertyName);
  if (field === undefined) return undefined;
  const targets = recordOf(mapping);
  const words = groupBy(Object.keys(targets), (word) => toRefName(String(targets[word])) ?? '');
  return { field, words };
}
