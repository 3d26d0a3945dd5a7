import {
  type ApiSchema,
  type Branch,
  type ListBranch,
  type ObjectBranch,
  toTarget,
} from '../../document/branch.ts';
import { toConstraints } from '../../document/constraints.ts';
import { FACTS } from '../../document/facts.ts';
import { hasValue } from '../../document/fits-branch.ts';
import {
  accepts,
  findNote,
  findTag,
  isAnything,
  isNothing,
  toBranches,
} from '../../document/read-branches.ts';
import { recordOf } from '../../document/schema-json.ts';
import { toSortedText } from '../../document/sorted-json.ts';
import { toTypeText } from '../../document/type-text.ts';
import type { FoundChange, RuleId } from '../changes/rules.ts';
import { compareRestrictions, type HeldPair } from './compare-restrictions.ts';
import { compareTagWords, type TagChange } from './compare-tag-words.ts';
import { compareChecks, compareLimits, compareTexts, type LimitChange } from './limits.ts';
import { type Admits, type BranchPairs, pairBranches, toKindName, toTag } from './pair-branches.ts';

/** Callers send the input, which may come to admit more; they read the output, which may come to promise more. */
export type Direction = 'input' | 'output';

/** A change of two schemas themselves, or a pair of schemas inside of them that may differ. */
export type Finding = FoundPart | InnerPair | HeldPair;

/** A change, without the words for its place: `became required`. */
export interface FoundPart extends Omit<FoundChange, 'at' | 'component'> {
  readonly kind: 'change';
  readonly rule: RuleId;
  /** The place in the schema: `.email`; empty for the schema itself. */
  readonly part: string;
}

export interface InnerPair {
  readonly kind: 'inner';
  readonly part: string;
  readonly before: ApiSchema;
  readonly after: ApiSchema;
}

/** Compares two schemas, but for those inside of them. `admits` says which branches of a union cover others. */
export function comparePair(
  before: ApiSchema,
  after: ApiSchema,
  { direction, admits }: { readonly direction: Direction; readonly admits: Admits },
): readonly Finding[] {
  const [older, newer] = [toTargetBranches(before), toTargetBranches(after)];
  // Of unions that are too long to intersect, nobody knows the branches.
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

/** The branches as the schema itself says them: those of a mere reference say that they are its target. */
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

/** A value that fits two branches of an `anyOf` is refused once that has become a `oneOf`. */
function compareChoices(
  before: ApiSchema,
  after: ApiSchema,
  direction: Direction,
): readonly Finding[] {
  const [older, newer] = [toBranches(before), toBranches(after)];
  const isUnclear =
    older.length * newer.length >= 4 && isOneOf(before, older) !== isOneOf(after, newer);
  return isUnclear ? [toLimitFinding(unclear, direction)] : [];
}

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
  if (was && !is && isSplit(newer, older)) {
    const wider = { message: 'is taken where two of its choices fit', effect: 'wider' } as const;
    return [toLimitFinding(wider, direction)];
  }
  return compareChoices(before, after, direction);
}

/** Maps and sets, which are whole to a client that asks by calls, and anything to JSON Schema. */
function findWholeValues(branches: readonly Branch[]): string {
  const checks = branches.flatMap((branch) => branch.checks);
  return [...new Set(checks)].flatMap((check) => /^value (.*)$/.exec(check)?.[1] ?? []).join(' | ');
}

/** Whether a value that fits two of several branches is refused. One of another type or tag fits one alone. */
function isOneOf(schema: ApiSchema, branches: readonly Branch[]): boolean {
  const types = branches.map(({ type }) => (type === 'integer' ? 'number' : type));
  const areApart = !types.includes('any') && new Set(types).size === types.length;
  const isChoice = Array.isArray(recordOf(toTarget(schema))['oneOf']);
  return isChoice && !areApart && findTag(branches) === undefined;
}

function toTypeChange(
  [old, now]: readonly [ApiSchema, ApiSchema],
  { lost, gained }: Pick<BranchPairs, 'lost' | 'gained'>,
  direction: Direction,
): Finding {
  const [before, after] = [toTypeText(old), toTypeText(now)];
  // Of a union of objects, which are told apart by a tag, the tag says more than the words for the whole.
  const isTagged = [...lost, ...gained].every((branch) => toTag(branch) !== '');
  const toWords = (verb: string, branches: readonly Branch[]): readonly string[] => {
    const names = branches.map((branch) =>
      `${branch.name ?? toKindName(branch)} ${toTag(branch)}`.trim(),
    );
    return names.length === 0 ? [] : [`${verb} ${names.join(', ')}`];
  };
  const words = [...toWords('lost', lost), ...toWords('gained', gained)].join(' and ');
  const message = before === after || isTagged ? words : `changed from ${before} to ${after}`;
  const isNarrower = direction === 'input' ? lost.length > 0 : gained.length === 0;
  const rule = `${direction}-type-${isNarrower ? 'narrower' : 'wider'}` as const;
  return toFinding(rule, { message, before, after });
}

/** The types of the client are others, whatever is on the wire. */
function toValueChange(before: string, after: string): Finding {
  const message = `is a ${after} to the client, it was a ${before}`;
  return toFinding('client-type-changed', { message, before, after });
}

const unclear: LimitChange = { message: 'has other restrictions', effect: 'unclear' };

export function toLimitFinding({ effect, ...found }: LimitChange, direction: Direction): FoundPart {
  if (effect === 'unclear') return toFinding(`${direction}-unclear`, found);
  const worst = direction === 'input' ? 'narrower' : 'wider';
  return toFinding(`${direction}-limit-${effect === 'other' ? worst : effect}`, found);
}

function toFinding(rule: RuleId, found: Omit<FoundChange, 'at'>, part = ''): FoundPart {
  return { kind: 'change', rule, part, ...found };
}

/** Compares two branches that have become each other, but for the schemas inside of them. */
export function compareBranches(
  old: Branch,
  now: Branch,
  direction: Direction,
): readonly Finding[] {
  const isListed = old.values !== undefined || now.values !== undefined;
  const isPartial = old.isPartial === true || now.isPartial === true;
  const limits = [
    ...(isPartial ? [unclear] : []),
    ...(direction === 'input' ? compareChecks(old.checks, now.checks) : []),
    ...(isListed ? [] : compareLimits(old, now)),
  ];
  return [
    ...limits.map((limit) => toLimitFinding(limit, direction)),
    ...compareRestrictions(old, now).map((found) =>
      found.kind === 'limit' ? toLimitFinding(found.limit, direction) : found,
    ),
    ...(isListed ? compareValues(old, now, direction) : compareParts(old, now, direction)),
  ];
}

/** The differences between literals, or between those of one branch and another that admits more than a few. */
function compareValues(old: Branch, now: Branch, direction: Direction): readonly Finding[] {
  const [older, newer] = [old.values, now.values];
  const removed = older?.filter((value) => !acceptsValue(now, value)) ?? [];
  const added = newer?.filter((value) => !acceptsValue(old, value)) ?? [];
  const toText = (values: readonly unknown[], separator: string): string =>
    values.map((value) => JSON.stringify(value)).join(separator);
  const texts = { before: older && toText(older, ' | '), after: newer && toText(newer, ' | ') };
  const narrower = [
    ...(removed.length === 0 ? [] : [`lost ${toText(removed, ', ')}`]),
    ...(older === undefined ? [`takes only ${toText(newer ?? [], ', ')} now`] : []),
  ];
  const wider = [
    ...(added.length === 0 ? [] : [`gained ${toText(added, ', ')}`]),
    ...(newer === undefined ? ['takes any value now'] : []),
  ];
  return [
    ...narrower.map((message) => toFinding(`${direction}-values-narrower`, { message, ...texts })),
    ...wider.map((message) => toFinding(`${direction}-values-wider`, { message, ...texts })),
  ];
}

function acceptsValue({ values, schema }: Branch, value: unknown): boolean {
  return values === undefined ? accepts(schema, value) : hasValue(values, value);
}

function compareParts(old: Branch, now: Branch, direction: Direction): readonly Finding[] {
  if (old.type === 'object' && now.type === 'object') return compareObjects(old, now, direction);
  if (old.type === 'array' && now.type === 'array') return compareLists(old, now, direction);
  if (old.type !== 'string' || now.type !== 'string' || old.kind === now.kind) return [];
  return [toValueChange(old.kind ?? 'string', now.kind ?? 'string')];
}

function toInner(part: string, before: ApiSchema, after: ApiSchema): InnerPair {
  return { kind: 'inner', part, before, after };
}

/** The differences between two lists, position by position. */
function compareLists(old: ListBranch, now: ListBranch, direction: Direction): readonly Finding[] {
  const positions = Math.max(old.first.length, now.first.length);
  const inner = (index: number, name: string): readonly Finding[] => {
    const [a = anything, b = anything] = [old, now].map(({ first, rest }) => first[index] ?? rest);
    // The number of items tells where nothing can be.
    return isNothing(a) || isNothing(b) ? [] : [toInner(`[${name}]`, a, b)];
  };
  // Who reads a tuple counts on its positions, as on the fields of an object.
  const least = direction === 'output' ? Math.min(old.first.length, old.counts.minItems ?? 0) : 0;
  const indexes = Array.from({ length: positions }, (_, index) => index);
  return [
    ...indexes
      .slice(now.counts.minItems ?? 0, least)
      .map((index) =>
        toFinding('output-field-optional', { message: 'may be missing' }, `[${index}]`),
      ),
    ...indexes.flatMap((index) => inner(index, `${index}`)),
    ...inner(positions, ''),
  ];
}

const anything: ApiSchema = { json: true, root: true };
const anyName: ApiSchema = { json: { type: 'string' }, root: true };

function compareObjects(
  old: ObjectBranch,
  now: ObjectBranch,
  direction: Direction,
): readonly Finding[] {
  const [names, namesNow] = [toNames(old), toNames(now)];
  const [others, rest] = [old.rest, now.rest];
  const areOpen = [others, rest].every((each) => each !== undefined && !isNothing(each));
  const fields = new Set([...old.fields.keys(), ...now.fields.keys()]);
  const unknown = areOpen
    ? []
    : compareTexts('unknown fields', toOthersText(others), toOthersText(rest));
  return [
    ...(names === namesNow ? [] : [toInner('{name}', names, namesNow)]),
    ...(others && rest && areOpen ? [toInner('{}', others, rest)] : []),
    ...unknown.map((limit) => toLimitFinding(limit, direction)),
    ...[...fields].flatMap((name) =>
      compareField(findField(old, name, direction), findField(now, name, direction), {
        part: `.${name}`,
        direction,
      }),
    ),
  ];
}

function toNames({ names }: ObjectBranch): ApiSchema {
  return names !== undefined && !isAnything(names) ? names : anyName;
}

function toOthersText(others: ApiSchema | undefined): string | undefined {
  if (others === undefined || isAnything(others)) return undefined;
  return isNothing(others) ? 'refused' : [toTypeText(others), ...toConstraints(others)].join(', ');
}

/** A field of an object by its name: `absent` where nothing is said of it, `refused` where it is an error. */
interface FieldSide {
  readonly presence: 'absent' | 'refused' | 'optional' | 'required';
  readonly schema?: ApiSchema;
}

function findField(
  { fields, required, rest, names }: ObjectBranch,
  wanted: string,
  direction: Direction,
): FieldSide {
  const schema = fields.get(wanted);
  if (schema !== undefined && isOfOtherDirection(schema, direction)) return { presence: 'absent' };
  if (schema !== undefined)
    return { presence: required.has(wanted) ? 'required' : 'optional', schema };
  if ((rest && isNothing(rest)) || (names !== undefined && !accepts(names, wanted)))
    return { presence: 'refused' };
  return rest === undefined || isAnything(rest)
    ? { presence: 'absent' }
    : { presence: 'optional', schema: rest };
}

/** What an answer alone has is not sent, also where it is required. Our own servers ask for it all the same. */
function isOfOtherDirection(schema: ApiSchema, direction: Direction): boolean {
  const mark = direction === 'input' ? 'readOnly' : 'writeOnly';
  return findNote(schema, mark) === true && !Object.hasOwn(Object(schema.root), FACTS);
}

interface FieldPlace {
  readonly part: string;
  readonly direction: Direction;
}

function compareField(old: FieldSide, now: FieldSide, place: FieldPlace): readonly Finding[] {
  const { part, direction } = place;
  const presence = comparePresence(old.presence, now.presence, place);
  if (old.schema === undefined || now.schema === undefined) return presence;
  const couldBeLeftOut = old.presence === 'optional' && now.presence === 'optional';
  const defaults =
    direction === 'input' && couldBeLeftOut
      ? compareTexts('default', toDefault(old.schema), toDefault(now.schema))
      : [];
  const isEnding = !isDeprecated(old.schema) && isDeprecated(now.schema);
  return [
    ...presence,
    ...defaults.map(({ message, before, after }) =>
      toFinding('input-default-changed', { message, before, after }, part),
    ),
    ...(isEnding ? [toFinding('deprecation-changed', { message: 'became deprecated' }, part)] : []),
    toInner(part, old.schema, now.schema),
  ];
}

function isDeprecated(schema: ApiSchema): boolean {
  return findNote(schema, 'deprecated') === true;
}

function toDefault(schema: ApiSchema): string | undefined {
  const value = findNote(schema, 'default');
  return value === undefined ? undefined : toSortedText(value);
}

type Presence = FieldSide['presence'];

function comparePresence(
  before: Presence,
  after: Presence,
  { part, direction }: FieldPlace,
): readonly Finding[] {
  const old = before === 'refused' ? 'absent' : before;
  const now = after === 'refused' ? 'absent' : after;
  if (old === now) return [];
  const isAdded = old === 'absent' && (now === 'optional' || direction === 'output');
  const worse = after === 'refused' && direction === 'input' ? 'breaking' : undefined;
  const found = { before: old, after: now, class: worse } as const;
  if (now === 'absent')
    return [toFinding(`${direction}-field-removed`, { message: 'was removed', ...found }, part)];
  const message = old === 'absent' ? `was added, ${now}` : `became ${now}`;
  return [toFinding(`${direction}-field-${isAdded ? 'added' : now}`, { message, ...found }, part)];
}
