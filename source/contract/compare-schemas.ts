import type { ApiSchema, Branch } from '../document/branch.ts';
import { isSameJson } from '../document/fits-branch.ts';
import {
  accepts,
  findNote,
  findTag,
  isAnything,
  isNothing,
  toBranches,
  toTarget,
} from '../document/read-branches.ts';
import { isSchemaObject, recordOf } from '../document/schema-json.ts';
import { toConstraints, toTypeText } from '../document/type-text.ts';
import { compareChecks, compareLimits, compareTexts, type LimitChange } from './limits.ts';
import { type BranchPairs, pairBranches, toKindName, toTag } from './pair-branches.ts';
import { type ContractChange, type FoundChange, type RuleId, toChange } from './rules.ts';
import { toSortedText } from './sorted-json.ts';

export interface SchemaPlace {
  /** `input.address.city` */
  readonly at: string;
  /** Callers send the input, which may come to admit more; they read the output, which may come to promise more. */
  readonly direction: 'input' | 'output';
}

interface InnerPlace extends SchemaPlace {
  /** The pairs that this one is inside of. */
  readonly above: readonly Pair[];
  /** The pairs of components that were looked at. */
  readonly seen: Pair[];
}

type Pair = readonly [old: unknown, now: unknown];

/** The components that differ in nothing: many operations refer to them. */
const same = {
  input: new WeakMap<object, WeakSet<object>>(),
  output: new WeakMap<object, WeakSet<object>>(),
};

/** The differences between two schemas, field by field; where only one is declared, that is the difference. */
export function compareSchemas(
  before: ApiSchema | undefined,
  after: ApiSchema | undefined,
  { at, direction }: SchemaPlace,
): readonly ContractChange[] {
  if (before === after) return [];
  if (before === undefined || after === undefined) {
    const verb = after === undefined ? 'removed' : 'added';
    return [
      toChange(`${direction}-schema-${verb}`, { at, message: `${direction} schema was ${verb}` }),
    ];
  }
  const seen: Pair[] = [];
  const all = compare(before, after, { at, direction, above: [], seen });
  for (const [old, now] of all.length === 0 ? seen : []) {
    if (!isSchemaObject(old) || !isSchemaObject(now)) continue;
    const others = same[direction].get(old) ?? new WeakSet();
    same[direction].set(old, others.add(now));
  }
  // A rule of a union holds for each of its branches.
  return [
    ...new Map(
      all.map((change) => [`${change.rule} ${change.at} ${change.message}`, change]),
    ).values(),
  ];
}

/** An intersection that contains itself is merged anew at each level, so that it ends at this depth. */
const MAX_DEPTH = 60;

function compare(
  before: ApiSchema,
  after: ApiSchema,
  place: InnerPlace,
): readonly ContractChange[] {
  const [old, now] = [toTarget(before), toTarget(after)];
  const isNamed = old !== before.json && now !== after.json;
  if (
    isNamed &&
    isSchemaObject(old) &&
    isSchemaObject(now) &&
    same[place.direction].get(old)?.has(now)
  )
    return [];
  if (place.above.some(([a, b]) => a === old && b === now) || place.above.length > MAX_DEPTH)
    return [];
  if (isNamed) place.seen.push([old, now]);
  const inside = { ...place, above: [...place.above, [old, now] as const] };
  const [olds, news] = [toBranches(before), toBranches(after)];
  const { pairs, lost, gained } = pairBranches(olds, news, (wide, narrow) =>
    admits(wide, narrow, inside),
  );
  const [value, valueNow] = [findWholeValues(olds), findWholeValues(news)];
  const isUnclear = isOneOf(old, olds) !== isOneOf(now, news) && olds.length * news.length >= 4;
  return [
    ...(value === valueNow
      ? []
      : [toValueChange(value || toTypeText(before), valueNow || toTypeText(after), place)]),
    ...(lost.length + gained.length === 0
      ? []
      : [toTypeChange([before, after], { lost, gained }, place)]),
    ...(isUnclear ? [toLimitChange(unclear, place)] : []),
    ...pairs.flatMap(([a, b]) => compareBranches(a, b, inside)),
  ];
}

/** Maps and sets, which are whole to a client that asks by calls, and anything to JSON Schema. */
function findWholeValues(branches: readonly Branch[]): string {
  const checks = branches.flatMap((branch) => branch.checks);
  return [...new Set(checks)].flatMap((check) => /^value (.*)$/.exec(check)?.[1] ?? []).join(' | ');
}

/** Whether a value that fits two of several branches is refused. */
function isOneOf(json: unknown, branches: readonly Branch[]): boolean {
  return Array.isArray(recordOf(json)['oneOf']) && findTag(branches) === undefined;
}

/** Whether every value of one branch is one of the other too, as far as anybody can tell. */
function admits(wide: Branch, narrow: Branch, place: InnerPlace): boolean {
  if (wide.type === 'integer' && narrow.type === 'number') return false;
  const changes = compareBranches(narrow, wide, { ...place, direction: 'input', seen: [] });
  return changes.every((change) => change.class === 'safe');
}

function toTypeChange(
  [old, now]: readonly [ApiSchema, ApiSchema],
  { lost, gained }: Pick<BranchPairs, 'lost' | 'gained'>,
  place: SchemaPlace,
): ContractChange {
  const [before, after] = [toTypeText(old), toTypeText(now)];
  // Of a union of objects, which are told apart by a tag, the tag says more than the words for the whole.
  const isTagged = [...lost, ...gained].every((branch) => toTag(branch) !== '');
  const toWords = (verb: string, branches: readonly Branch[]): readonly string[] => {
    const names = branches.map((branch) => `${toKindName(branch)} ${toTag(branch)}`.trim());
    return names.length === 0 ? [] : [`${verb} ${names.join(', ')}`];
  };
  const words = [...toWords('lost', lost), ...toWords('gained', gained)].join(' and ');
  const message = before === after || isTagged ? words : `changed from ${before} to ${after}`;
  const isNarrower = place.direction === 'input' ? lost.length > 0 : gained.length === 0;
  return toFound(
    `${place.direction}-type-${isNarrower ? 'narrower' : 'wider'}`,
    { message, before, after },
    place,
  );
}

/** The types of the client are others, whatever is on the wire. */
function toValueChange(before: string, after: string, place: SchemaPlace): ContractChange {
  const message = `is a ${after} to the client, it was a ${before}`;
  return toFound('client-type-changed', { message, before, after }, place);
}

const unclear: LimitChange = { message: 'has other restrictions', effect: 'unclear' };

export function toLimitChange(
  { effect, ...found }: LimitChange,
  place: SchemaPlace,
): ContractChange {
  const { direction } = place;
  if (effect === 'unclear') return toFound(`${direction}-unclear`, found, place);
  const worst = direction === 'input' ? 'narrower' : 'wider';
  return toFound(`${direction}-limit-${effect === 'other' ? worst : effect}`, found, place);
}

/** A change at a place, said of its field: `became required` becomes ``` `email` became required```. */
function toFound(
  rule: RuleId,
  found: Omit<FoundChange, 'at'>,
  { at, direction }: SchemaPlace,
): ContractChange {
  const name = at.startsWith(`${direction}.`) ? at.slice(direction.length + 1) : at;
  return toChange(rule, { ...found, at, message: `\`${name}\` ${found.message}` });
}

function compareBranches(old: Branch, now: Branch, place: InnerPlace): readonly ContractChange[] {
  const isListed = old.values !== undefined || now.values !== undefined;
  const limits = [
    ...(isSameJson(old.others, now.others) ? [] : [unclear]),
    ...(place.direction === 'input' ? compareChecks(old.checks, now.checks) : []),
    ...(isListed ? [] : compareLimits(old, now)),
  ];
  return [
    ...limits.map((limit) => toLimitChange(limit, place)),
    ...(isListed ? compareValues(old, now, place) : compareParts(old, now, place)),
  ];
}

/** The differences between literals, or between those of one branch and another that admits more than a few. */
function compareValues(old: Branch, now: Branch, place: SchemaPlace): readonly ContractChange[] {
  const [olds, news] = [old.values, now.values];
  const gone = olds?.filter((value) => !accepts(now.schema, value)) ?? [];
  const come = news?.filter((value) => !accepts(old.schema, value)) ?? [];
  const toText = (values: readonly unknown[], separator: string): string =>
    values.map((value) => JSON.stringify(value)).join(separator);
  const texts = { before: olds && toText(olds, ' | '), after: news && toText(news, ' | ') };
  const narrower = [
    ...(gone.length === 0 ? [] : [`lost ${toText(gone, ', ')}`]),
    ...(olds === undefined ? [`takes only ${toText(news ?? [], ', ')} now`] : []),
  ];
  const wider = [
    ...(come.length === 0 ? [] : [`gained ${toText(come, ', ')}`]),
    ...(news === undefined ? ['takes any value now'] : []),
  ];
  return [
    ...narrower.map((message) =>
      toFound(`${place.direction}-values-narrower`, { message, ...texts }, place),
    ),
    ...wider.map((message) =>
      toFound(`${place.direction}-values-wider`, { message, ...texts }, place),
    ),
  ];
}

function compareParts(old: Branch, now: Branch, place: InnerPlace): readonly ContractChange[] {
  if (old.type === 'object') return compareObjects(old, now, place);
  if (old.type === 'array') return compareLists(old, now, place);
  const [before, after] = [old.kind ?? 'string', now.kind ?? 'string'];
  return old.type !== 'string' || before === after ? [] : [toValueChange(before, after, place)];
}

/** The differences between two lists, position by position. */
function compareLists(old: Branch, now: Branch, place: InnerPlace): readonly ContractChange[] {
  const positions = Math.max(old.first.length, now.first.length);
  const inner = (index: number, name: string): readonly ContractChange[] => {
    const [a = anything, b = anything] = [old, now].map(({ first, rest }) => first[index] ?? rest);
    // The number of items tells where nothing can be.
    return isNothing(a) || isNothing(b) ? [] : compare(a, b, toInner(place, `[${name}]`));
  };
  // Who reads a tuple counts on its positions, as on the fields of an object.
  const least =
    place.direction === 'output' ? Math.min(old.first.length, old.counts.minItems ?? 0) : 0;
  const indexes = Array.from({ length: positions }, (_, index) => index);
  return [
    ...indexes
      .slice(now.counts.minItems ?? 0, least)
      .map((index) =>
        toFound(
          'output-field-optional',
          { message: 'may be missing' },
          toInner(place, `[${index}]`),
        ),
      ),
    ...indexes.flatMap((index) => inner(index, `${index}`)),
    ...inner(positions, ''),
  ];
}

const anything: ApiSchema = { json: true, root: true };
const anyName: ApiSchema = { json: { type: 'string' }, root: true };

function toInner(place: InnerPlace, part: string): InnerPlace {
  return { ...place, at: `${place.at}${part}` };
}

function compareObjects(old: Branch, now: Branch, place: InnerPlace): readonly ContractChange[] {
  const [names, namesNow] = [old, now].map((each) =>
    each.names && !isAnything(each.names) ? each.names : anyName,
  );
  const [others, rest] = [old.rest, now.rest];
  const areOpen = [others, rest].every((each) => each !== undefined && !isNothing(each));
  const fields = new Set([...old.fields.keys(), ...now.fields.keys()]);
  const unknown = areOpen
    ? []
    : compareTexts('unknown fields', toOthersText(others), toOthersText(rest));
  return [
    ...(names && namesNow ? compare(names, namesNow, toInner(place, '{name}')) : []),
    ...(others && rest && areOpen ? compare(others, rest, toInner(place, '{}')) : []),
    ...unknown.map((limit) => toLimitChange(limit, place)),
    ...[...fields].flatMap((name) =>
      compareField(findField(old, name), findField(now, name), toInner(place, `.${name}`)),
    ),
  ];
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

function findField({ fields, required, rest, names }: Branch, wanted: string): FieldSide {
  const schema = fields.get(wanted);
  if (schema !== undefined)
    return { presence: required.has(wanted) ? 'required' : 'optional', schema };
  if ((rest && isNothing(rest)) || (names !== undefined && !accepts(names, wanted)))
    return { presence: 'refused' };
  return rest === undefined || isAnything(rest)
    ? { presence: 'absent' }
    : { presence: 'optional', schema: rest };
}

function compareField(
  old: FieldSide,
  now: FieldSide,
  place: InnerPlace,
): readonly ContractChange[] {
  const presence = comparePresence(old.presence, now.presence, place);
  if (old.schema === undefined || now.schema === undefined) return presence;
  const couldBeLeftOut = old.presence === 'optional' && now.presence === 'optional';
  const isInput = place.direction === 'input' && couldBeLeftOut;
  const [wasDeprecated, isDeprecated] = [old.schema, now.schema].map(
    (each) => findNote(each, 'deprecated') === true,
  );
  return [
    ...presence,
    ...(isInput ? compareTexts('default', toDefault(old.schema), toDefault(now.schema)) : []).map(
      ({ effect: _, ...found }) => toFound('input-default-changed', found, place),
    ),
    ...(isDeprecated && !wasDeprecated
      ? [toFound('deprecation-changed', { message: 'became deprecated' }, place)]
      : []),
    ...compare(old.schema, now.schema, place),
  ];
}

function toDefault(schema: ApiSchema): string | undefined {
  const value = findNote(schema, 'default');
  return value === undefined ? undefined : toSortedText(value);
}

type Presence = FieldSide['presence'];

function comparePresence(
  before: Presence,
  after: Presence,
  place: SchemaPlace,
): readonly ContractChange[] {
  const [old, now] = [before, after].map((each) => (each === 'refused' ? 'absent' : each));
  if (old === now || old === undefined || now === undefined) return [];
  const { direction } = place;
  const isAdded = old === 'absent' && (now === 'optional' || direction === 'output');
  const rule = now === 'absent' ? 'removed' : isAdded ? 'added' : now;
  const message =
    now === 'absent' ? 'was removed' : old === 'absent' ? `was added, ${now}` : `became ${now}`;
  const worse = after === 'refused' && direction === 'input' ? 'breaking' : undefined;
  return [
    toFound(
      `${direction}-field-${rule}`,
      { message, before: old, after: now, class: worse },
      place,
    ),
  ];
}
