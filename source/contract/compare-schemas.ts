import { accepts, isSameJson } from '../document/accepts.ts';
import type { ApiSchema, Branch } from '../document/branch.ts';
import { findNote, findTag, isAnything, isNothing, toBranches, toTarget } from '../document/read-branches.ts';
import { isSchemaObject, recordOf } from '../document/schema-json.ts';
import { toConstraints, toTypeText } from '../document/type-text.ts';
import { compareChecks } from './compare-checks.ts';
import type { ContractChange } from './contract-change.ts';
import { compareLimits, compareTexts } from './limits.ts';
import { pairBranches } from './pair-branches.ts';
import { toChange } from './rules.ts';
import {
  compareDefaults,
  comparePresence,
  compareValues,
  type Presence,
  type SchemaPlace,
  toFound,
  toLimitChange,
  toTypeChange,
  toUnclear,
  toValueChange,
} from './schema-changes.ts';

interface InnerPlace extends SchemaPlace {
  /** The pairs that this one is inside of. */
  readonly above: readonly Pair[];
  /** The pairs of components that were looked at. */
  readonly seen: Pair[];
}

type Pair = readonly [old: unknown, now: unknown];

/** The components that differ in nothing: many operations refer to them. */
const same = { input: new WeakMap<object, WeakSet<object>>(), output: new WeakMap<object, WeakSet<object>>() };

/** The differences between two schemas, field by field; where only one is declared, that is the difference. */
export function compareSchemas(
  before: ApiSchema | undefined,
  after: ApiSchema | undefined,
  { at, direction }: SchemaPlace,
): readonly ContractChange[] {
  if (before === after) return [];
  if (before === undefined || after === undefined) {
    const verb = after === undefined ? 'removed' : 'added';
    return [toChange(`${direction}-schema-${verb}`, { at, message: `${direction} schema was ${verb}` })];
  }
  const seen: Pair[] = [];
  const all = compare(before, after, { at, direction, above: [], seen });
  for (const [old, now] of all.length === 0 ? seen : []) {
    if (!isSchemaObject(old) || !isSchemaObject(now)) continue;
    const others = same[direction].get(old) ?? new WeakSet();
    same[direction].set(old, others.add(now));
  }
  const known = new Set<string>();
  // A rule of a union holds for each of its branches.
  return all.filter(({ rule, at: place, message }) => {
    const id = `${rule} ${place} ${message}`;
    return !known.has(id) && known.add(id);
  });
}

/** An intersection that contains itself is merged anew at each level, so that it ends at this depth. */
const MAX_DEPTH = 60;

function compare(before: ApiSchema, after: ApiSchema, place: InnerPlace): readonly ContractChange[] {
  const [old, now] = [toTarget(before), toTarget(after)];
  const isNamed = old !== before.json && now !== after.json;
  if (isNamed && isSchemaObject(old) && isSchemaObject(now) && same[place.direction].get(old)?.has(now)) return [];
  if (place.above.some(([a, b]) => a === old && b === now) || place.above.length > MAX_DEPTH) return [];
  if (isNamed) place.seen.push([old, now]);
  const inside = { ...place, above: [...place.above, [old, now] as const] };
  const [olds, news] = [toBranches(before), toBranches(after)];
  const { pairs, lost, gained } = pairBranches(olds, news, (wide, narrow) => admits(wide, narrow, inside));
  const [value, valueNow] = [findWholeValues(olds), findWholeValues(news)];
  return [
    ...(value === valueNow ? [] : [toValueChange(value || toTypeText(before), valueNow || toTypeText(after), place)]),
    ...(lost.length + gained.length === 0 ? [] : [toTypeChange({ before, after, lost, gained }, place)]),
    ...(isOneOf(old, olds) === isOneOf(now, news) || olds.length * news.length < 4
      ? []
      : [toUnclear(before, after, place)]),
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

/** The differences between two branches that are of one kind, or of kinds that have values in common. */
function compareBranches(old: Branch, now: Branch, place: InnerPlace): readonly ContractChange[] {
  const unclear = isSameJson(old.others, now.others) ? [] : [toUnclear(old.schema, now.schema, place)];
  const checks = place.direction === 'input' ? compareChecks(old.checks, now.checks) : [];
  const ofChecks = checks.map(({ effect, message }) => toFound(`input-check-${effect}`, { message }, place));
  if (old.values !== undefined || now.values !== undefined)
    return [...unclear, ...ofChecks, ...compareValues(old, now, place)];
  const limits = compareLimits(old, now).map((limit) => toLimitChange(limit, place));
  return [...unclear, ...ofChecks, ...limits, ...compareParts(old, now, place)];
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
    if (isNothing(a) || isNothing(b)) return [];
    return compare(a, b, { ...place, at: `${place.at}[${name}]` });
  };
  return [
    ...findLostPositions(old, now, place),
    ...Array.from({ length: positions }, (_, index) => inner(index, `${index}`)).flat(),
    ...inner(positions, ''),
  ];
}

const anything: ApiSchema = { json: true, root: true };

/** Who reads a tuple counts on its positions, as on the fields of an object. */
function findLostPositions(old: Branch, now: Branch, place: InnerPlace): readonly ContractChange[] {
  if (place.direction === 'input') return [];
  const [from, to] = [now.counts.minItems ?? 0, Math.min(old.first.length, old.counts.minItems ?? 0)];
  return Array.from({ length: Math.max(0, to - from) }, (_, index) =>
    toFound('output-field-optional', { message: 'may be missing' }, { ...place, at: `${place.at}[${from + index}]` }),
  );
}

/** The differences between two objects: in their names, all other fields, and each field. */
function compareObjects(old: Branch, now: Branch, place: InnerPlace): readonly ContractChange[] {
  const toChanges = (words: string, before: string | undefined, after: string | undefined) =>
    compareTexts(words, before, after).map((limit) => toLimitChange(limit, place));
  const [a, b] = [findNames(old), findNames(now)];
  const [others, rest] = [old.rest, now.rest];
  const areOpen = [others, rest].every((each) => each !== undefined && !isNothing(each));
  const fields = new Set([...old.fields.keys(), ...now.fields.keys()]);
  return [
    ...(a && b
      ? compare(a, b, { ...place, at: `${place.at}{name}` })
      : toChanges('names of fields', a && toText(a), b && toText(b))),
    ...(others && rest && areOpen
      ? compare(others, rest, { ...place, at: `${place.at}{}` })
      : toChanges('unknown fields', toOthersText(others), toOthersText(rest))),
    ...[...fields].flatMap((name) =>
      compareField(findField(old, name), findField(now, name), { ...place, at: `${place.at}.${name}` }),
    ),
  ];
}

/** The pattern of names that fit; undefined where it is any text. */
function findNames({ names }: Branch): ApiSchema | undefined {
  return names === undefined || isAnything(names) || toText(names) === 'string' ? undefined : names;
}

function toText(schema: ApiSchema): string {
  return [toTypeText(schema), ...toConstraints(schema)].join(', ');
}

function toOthersText(others: ApiSchema | undefined): string | undefined {
  if (others === undefined || isAnything(others)) return undefined;
  return isNothing(others) ? 'refused' : toText(others);
}

/** A field of an object by its name. */
interface FieldSide {
  readonly presence: Presence;
  readonly schema?: ApiSchema;
}

function findField({ fields, required, rest, names }: Branch, wanted: string): FieldSide {
  const schema = fields.get(wanted);
  if (schema !== undefined) return { presence: required.has(wanted) ? 'required' : 'optional', schema };
  if ((rest && isNothing(rest)) || (names !== undefined && !accepts(names, wanted))) return { presence: 'refused' };
  return rest === undefined || isAnything(rest) ? { presence: 'absent' } : { presence: 'optional', schema: rest };
}

/** Compares a field: whether it is there, its default, and what it holds. */
function compareField(old: FieldSide, now: FieldSide, place: InnerPlace): readonly ContractChange[] {
  const presence = comparePresence(old.presence, now.presence, place);
  if (old.schema === undefined || now.schema === undefined) return presence;
  const couldBeLeftOut = old.presence === 'optional' && now.presence === 'optional';
  const [wasDeprecated, isDeprecated] = [old.schema, now.schema].map((each) => findNote(each, 'deprecated') === true);
  return [
    ...presence,
    ...(place.direction === 'input' && couldBeLeftOut ? compareDefaults(old.schema, now.schema, place) : []),
    ...(isDeprecated && !wasDeprecated
      ? [toFound(`${place.direction}-field-deprecated`, { message: 'became deprecated' }, place)]
      : []),
    ...compare(old.schema, now.schema, place),
  ];
}
