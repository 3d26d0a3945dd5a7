import { accepts, isSameJson } from '../../shape/accepts.ts';
import { findTag } from '../../shape/find-tag.ts';
import { resolveShape } from '../../shape/resolve-shape.ts';
import { isFile, isNothing, type ListShape, type ObjectShape, type Shape } from '../../shape/shape.ts';
import { toConstraints } from '../../shape/to-constraints.ts';
import { toTypeText } from '../../shape/type-text.ts';
import type { ContractChange } from '../contract-change.ts';
import { toChange } from '../rules/rules.ts';
import { type Branch, pairBranches, toBranches } from './branches.ts';
import { compareChecks } from './compare-checks.ts';
import { compareForms } from './compare-forms.ts';
import {
  compareCounts,
  compareFieldCounts,
  compareFiles,
  compareNumbers,
  compareStrings,
  compareTexts,
  type LimitChange,
} from './limits.ts';
import {
  compareDefaults,
  comparePresence,
  compareValues,
  type Presence,
  type ShapePlace,
  toFound,
  toLimitChange,
  toTypeChange,
  toUnclear,
  toValueChange,
} from './shape-changes.ts';

interface InnerPlace extends ShapePlace {
  /** The pairs that this one is inside of. */
  readonly above: readonly Pair[];
  /** The pairs of components that were looked at. */
  readonly seen: Pair[];
}

type Pair = readonly [old: Shape, now: Shape];

/** The components that differ in nothing: many operations refer to them. */
const same = { input: new WeakMap<Shape, WeakSet<Shape>>(), output: new WeakMap<Shape, WeakSet<Shape>>() };

/** The differences between two shapes, field by field; where only one is declared, that is the difference. */
export function compareShapes(
  before: Shape | undefined,
  after: Shape | undefined,
  { at, direction }: ShapePlace,
): readonly ContractChange[] {
  if (before === after) return [];
  if (before === undefined || after === undefined) {
    const verb = after === undefined ? 'removed' : 'added';
    return [toChange(`${direction}-schema-${verb}`, { at, message: `${direction} schema was ${verb}` })];
  }
  const seen: Pair[] = [];
  const all = compare(before, after, { at, direction, above: [], seen });
  for (const [old, now] of all.length === 0 ? seen : []) {
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

function compare(before: Shape, after: Shape, place: InnerPlace): readonly ContractChange[] {
  const [old, now] = [resolveShape(before), resolveShape(after)];
  const isNamed = [before, after].every(({ kind, checks }) => kind === 'reference' && checks === undefined);
  if (isNamed && same[place.direction].get(old)?.has(now)) return [];
  if (place.above.some(([a, b]) => a === old && b === now) || place.above.length > MAX_DEPTH) return [];
  if (isNamed) place.seen.push([old, now]);
  const inside = { ...place, above: [...place.above, [old, now] as const] };
  const [olds, news] = [toBranches(before), toBranches(after)];
  const { pairs, lost, gained } = pairBranches(olds, news, (wide, narrow) => admits(wide, narrow, inside));
  const [value, valueNow] = [findWholeValues(olds), findWholeValues(news)];
  return [
    ...(value === valueNow ? [] : [toValueChange(value || toTypeText(before), valueNow || toTypeText(after), place)]),
    ...(lost.length + gained.length === 0 ? [] : [toTypeChange({ before, after, lost, gained }, place)]),
    ...(isOneOf(old) === isOneOf(now) || old.kind !== now.kind ? [] : [toUnclear(old, now, place)]),
    ...pairs.flatMap(([a, b]) => compareBranches(a, b, inside)),
  ];
}

/** Maps and sets, which are whole to a client that asks by calls, and anything to JSON Schema. */
function findWholeValues(branches: readonly Branch[]): string {
  const checks = branches.flatMap((branch) => branch.checks);
  return [...new Set(checks)].flatMap((check) => /^value (.*)$/.exec(check)?.[1] ?? []).join(' | ');
}

/** Whether a value that fits two of several shapes is refused. */
function isOneOf(shape: Shape): boolean {
  return shape.kind === 'union' && shape.isExclusive && findTag(shape.variants) === undefined;
}

/** Whether every value of one branch is one of the other too, as far as anybody can tell. */
function admits(wide: Branch, narrow: Branch, place: InnerPlace): boolean {
  if (wide.type === 'integer' && narrow.type === 'number') return false;
  const changes = compareBranches(narrow, wide, { ...place, direction: 'input', seen: [] });
  return changes.every((change) => change.class === 'safe');
}

function compareBranches(old: Branch, now: Branch, place: InnerPlace): readonly ContractChange[] {
  const unclear = isSameJson(old.keywords, now.keywords) ? [] : [toUnclear(old.shape, now.shape, place)];
  const checks = place.direction === 'input' ? compareChecks(old.checks, now.checks) : [];
  const forms = compareForms(old.checks, now.checks).map((found) =>
    toFound(`${place.direction}-format-unclear`, found, place),
  );
  const kinds = compareKinds(old, now, place);
  const isFormless = ({ rule }: ContractChange): boolean => rule !== `${place.direction}-format-unclear`;
  return [
    ...unclear,
    ...checks.map(({ effect, message }) => toFound(`input-check-${effect}`, { message }, place)),
    ...forms,
    ...(forms.length === 0 ? kinds : kinds.filter(isFormless)),
  ];
}

/** The differences between two branches that are of one kind, or of kinds that have values in common. */
function compareKinds(old: Branch, now: Branch, place: InnerPlace): readonly ContractChange[] {
  const [a, b] = [old.shape, now.shape];
  const toChanges = (limits: readonly LimitChange[]) => limits.map((limit) => toLimitChange(limit, place));
  if (a.kind === 'literal' || b.kind === 'literal') return compareValues(a, b, place);
  if (a.kind === 'object' && b.kind === 'object') return compareObjects(a, b, place);
  if (a.kind === 'list' && b.kind === 'list') return compareLists(a, b, place);
  if (a.kind === 'string' && b.kind === 'string') {
    if (isFile(a) && isFile(b)) return toChanges(compareFiles(a, b));
    const changes = toChanges(compareStrings(a, b, [old.checks, now.checks]));
    const [before, after] = [a.standsFor ?? 'string', b.standsFor ?? 'string'];
    return before === after ? changes : [...changes, toValueChange(before, after, place)];
  }
  if (a.kind === 'number' && b.kind === 'number') return toChanges(compareNumbers(a, b));
  if (a.kind !== 'intersection') return [];
  if (b.kind !== 'intersection' || a.parts.length !== b.parts.length) return [toUnclear(a, b, place)];
  return a.parts.flatMap((part, index) => compare(part, b.parts[index] ?? part, place));
}

/** The differences between two lists, position by position. */
function compareLists(old: ListShape, now: ListShape, place: InnerPlace): readonly ContractChange[] {
  const positions = Math.max(old.first.length, now.first.length);
  const inner = (index: number, name: string): readonly ContractChange[] => {
    const [a, b] = [old, now].map(({ first, rest }) => (first[index] ?? rest)());
    // The number of items tells where nothing can be.
    return a === undefined || b === undefined || isNothing(a) || isNothing(b)
      ? []
      : compare(a, b, { ...place, at: `${place.at}[${name}]` });
  };
  return [
    ...compareCounts([old, now], [findMost(old), findMost(now)]).map((limit) => toLimitChange(limit, place)),
    ...findLostPositions(old, now, place),
    ...Array.from({ length: positions }, (_, index) => inner(index, `${index}`)).flat(),
    ...inner(positions, ''),
  ];
}

/** Who reads a tuple counts on its positions, as on the fields of an object. */
function findLostPositions(old: ListShape, now: ListShape, place: InnerPlace): readonly ContractChange[] {
  if (place.direction === 'input') return [];
  const [from, to] = [now.minItems ?? 0, Math.min(old.first.length, old.minItems ?? 0)];
  return Array.from({ length: Math.max(0, to - from) }, (_, index) =>
    toFound('output-field-optional', { message: 'may be missing' }, { ...place, at: `${place.at}[${from + index}]` }),
  );
}

function findMost({ first, rest, maxItems }: ListShape): number | undefined {
  return isNothing(rest()) ? Math.min(first.length, maxItems ?? Number.POSITIVE_INFINITY) : maxItems;
}

/** The differences between two objects: in their names, all other fields, and each field. */
function compareObjects(old: ObjectShape, now: ObjectShape, place: InnerPlace): readonly ContractChange[] {
  const toChanges = (limits: readonly LimitChange[]) => limits.map((limit) => toLimitChange(limit, place));
  const [a, b] = [findNames(old), findNames(now)];
  const [others, rest] = [old.rest?.(), now.rest?.()];
  const areOpen = [others, rest].every((each) => each !== undefined && !isNothing(each));
  const fields = new Set([...old.fields, ...now.fields].map(({ name }) => name));
  return [
    ...toChanges(compareFieldCounts(old, now)),
    ...(a && b
      ? compare(a, b, { ...place, at: `${place.at}{name}` })
      : toChanges(compareTexts('names of fields', a && toText(a), b && toText(b)))),
    ...(others && rest && areOpen
      ? compare(others, rest, { ...place, at: `${place.at}{}` })
      : toChanges(compareTexts('unknown fields', toOthersText(others), toOthersText(rest)))),
    ...[...fields].flatMap((name) =>
      compareField(findField(old, name), findField(now, name), { ...place, at: `${place.at}.${name}` }),
    ),
  ];
}

/** The pattern of names that fit; undefined where it is any text. */
function findNames({ names }: ObjectShape): Shape | undefined {
  const shape = names?.();
  return shape === undefined || shape.kind === 'any' || toText(shape) === 'string' ? undefined : shape;
}

function toText(shape: Shape): string {
  return [toTypeText(shape), ...toConstraints(shape)].join(', ');
}

function toOthersText(others: Shape | undefined): string | undefined {
  if (others === undefined || others.kind === 'any') return undefined;
  return isNothing(others) ? 'refused' : toText(others);
}

/** A field of an object by its name. */
interface FieldSide {
  readonly presence: Presence;
  readonly shape?: Shape;
}

function findField({ fields, rest, names }: ObjectShape, wanted: string): FieldSide {
  const field = fields.find(({ name }) => name === wanted);
  if (field !== undefined) return { presence: field.isRequired ? 'required' : 'optional', shape: field.shape() };
  const others = rest?.();
  if ((others && isNothing(others)) || (names !== undefined && !accepts(names(), wanted)))
    return { presence: 'refused' };
  return others === undefined || others.kind === 'any'
    ? { presence: 'absent' }
    : { presence: 'optional', shape: others };
}

/** Compares a field: whether it is there, its default, and what it holds. */
function compareField(old: FieldSide, now: FieldSide, place: InnerPlace): readonly ContractChange[] {
  const presence = comparePresence(old.presence, now.presence, place);
  if (old.shape === undefined || now.shape === undefined) return presence;
  const couldBeLeftOut = old.presence === 'optional' && now.presence === 'optional';
  const isDeprecated = now.shape.isDeprecated === true && old.shape.isDeprecated !== true;
  return [
    ...presence,
    ...(place.direction === 'input' && couldBeLeftOut ? compareDefaults(old.shape, now.shape, place) : []),
    ...(isDeprecated ? [toFound(`${place.direction}-field-deprecated`, { message: 'became deprecated' }, place)] : []),
    ...compare(old.shape, now.shape, place),
  ];
}
