import type { ApiSchema, ObjectBranch } from '../../document/branch.ts';
import { toConstraints } from '../../document/constraints.ts';
import { FACTS } from '../../document/facts.ts';
import { accepts, findNote, isAnything, isNothing } from '../../document/read-branches.ts';
import { recordOf, toSortedText } from '../../document/schema-json.ts';
import { toTypeText } from '../../document/type-text.ts';
import { type Direction, type Finding, toFinding, toInner, toLimitFinding } from './finding.ts';
import { compareTexts } from './limits.ts';

/** The differences between two objects: their names, their unknown fields, and each field by its name. */
export function compareObjects(
  old: ObjectBranch,
  now: ObjectBranch,
  direction: Direction,
): readonly Finding[] {
  const names = toNames(old);
  const namesNow = toNames(now);
  const others = old.rest;
  const rest = now.rest;
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

const anyName: ApiSchema = { json: { type: 'string' }, root: true };

function toNames({ names }: ObjectBranch): ApiSchema {
  return names !== undefined && !isAnything(names) ? names : anyName;
}

function toOthersText(others: ApiSchema | undefined): string | undefined {
  if (others === undefined || isAnything(others)) return undefined;
  return isNothing(others) ? 'refused' : [toTypeText(others), ...toConstraints(others)].join(', ');
}

/** A field of an object by its name: `absent` where no schema mentions it, `refused` where it is an error. */
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
  if (schema !== undefined) return toFieldSide(schema, required.has(wanted));
  if ((rest && isNothing(rest)) || (names !== undefined && !accepts(names, wanted)))
    return { presence: 'refused' };
  return rest === undefined || isAnything(rest)
    ? { presence: 'absent' }
    : { presence: 'optional', schema: rest };
}

function toFieldSide(schema: ApiSchema, isRequired: boolean): FieldSide {
  if (isRequired) return { presence: 'required', schema };
  return isNever(schema) ? { presence: 'refused' } : { presence: 'optional', schema };
}

/** Whether no value fits a field: its schema refuses all, or one of its parts does. A plain schema is not looked at. */
function isNever(schema: ApiSchema): boolean {
  const { allOf, not } = recordOf(schema.json);
  return (schema.json === false || allOf !== undefined || not !== undefined) && isNothing(schema);
}

/**
 * Whether a field belongs to the other direction: requests leave out a `readOnly` field, also a required one. Servers
 * of the tool do not know the mark and require the field.
 */
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
    direction === 'input' && couldBeLeftOut ? compareDefaults(old.schema, now.schema, part) : [];
  const isEnding = isDeprecated(now.schema);
  const ending = isEnding ? 'became deprecated' : 'is no longer deprecated';
  return [
    ...presence,
    ...defaults,
    ...(isEnding === isDeprecated(old.schema)
      ? []
      : [toFinding('deprecation-changed', { message: ending }, part)]),
    toInner(part, old.schema, now.schema),
  ];
}

function isDeprecated(schema: ApiSchema): boolean {
  return findNote(schema, 'deprecated') === true;
}

function compareDefaults(old: ApiSchema, now: ApiSchema, part: string): readonly Finding[] {
  const before = toDefault(old);
  const after = toDefault(now);
  const message = `has the default ${after}, it was ${before}`;
  return before === after
    ? []
    : [toFinding('input-default-changed', { message, before, after }, part)];
}

function toDefault(schema: ApiSchema): string {
  const value = findNote(schema, 'default');
  return value === undefined ? 'none' : toSortedText(value);
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
