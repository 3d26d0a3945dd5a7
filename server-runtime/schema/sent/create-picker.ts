import { andThen, isPromise } from '../../errors/outcome.ts';
import type { DeepDefinition } from '../inner-schemas.ts';
import { innerSchema } from '../object-fields.ts';
import { definitionOf, type Schema } from '../schema.ts';
import { createSchemaParser } from '../schema-parser.ts';
import { isFilled } from './has-output-form.ts';

/**
 * Gives a value without the fields that are not declared, and with those that are missing and have a default. Never changes it: where nothing is
 * to be done, it is given back.
 */
export type Picker = (value: unknown) => unknown;

/**
 * The picker of a schema, worked out once; undefined where there is nothing to drop or to fill in. Objects keep their declared fields, loose ones
 * all, lists and records pick what is in them; of a union the first member that fits says what is declared.
 */
export function createPicker(schema: Schema): Picker | undefined {
  return toPicker(schema, new Map());
}

/** Each schema is looked at once, however often and in whatever circles schemas refer to each other. */
type Known = Map<Schema, { pick: Picker | undefined; isMade: boolean }>;

function toPicker(schema: Schema, known: Known): Picker | undefined {
  const before = known.get(schema);
  if (before?.isMade === true) return before.pick;
  if (before !== undefined) return (value) => (before.pick === undefined ? value : before.pick(value));
  const place: { pick: Picker | undefined; isMade: boolean } = { pick: undefined, isMade: false };
  known.set(schema, place);
  place.pick = toOwnPicker(schema, known);
  place.isMade = true;
  return place.pick;
}

function toOwnPicker(schema: Schema, known: Known): Picker | undefined {
  const definition: DeepDefinition = definitionOf(schema);
  switch (definition.type) {
    case 'object':
      return toObjectPicker(definition, known);
    case 'record':
      return definition.valueType && toRecordPicker(toPicker(definition.valueType, known));
    case 'array':
      return definition.element && toListPicker([], toPicker(definition.element, known));
    case 'tuple':
      return toListPicker(
        (definition.items ?? []).map((item) => toPicker(item, known)),
        definition.rest ? toPicker(definition.rest, known) : undefined,
      );
    case 'union':
      return toUnionPicker(definition.options ?? [], known);
    case 'intersection':
      return toIntersectionPicker(definition, known);
    case 'default':
    case 'prefault':
      return toFiller(definition, known);
    default: {
      const inner = innerSchema(schema);
      return inner && toPicker(inner, known);
    }
  }
}

/** In place of what is missing stands a default as it is, or what a prefault would be as an input. Functions are asked each time. */
function toFiller(definition: DeepDefinition, known: Known): Picker {
  const pick = (definition.innerType && toPicker(definition.innerType, known)) ?? KEEP;
  if (definition.type === 'prefault') return (value) => pick(value === undefined ? definition.defaultValue : value);
  return (value) => (value === undefined ? definition.defaultValue : pick(value));
}

/** A field that is given as it is. */
const KEEP: Picker = (value) => value;

function toObjectPicker({ shape = {}, catchall }: DeepDefinition, known: Known): Picker | undefined {
  const pickers: Record<string, Picker> = Object.create(null);
  for (const [name, field] of Object.entries(shape)) pickers[name] = toPicker(field, known) ?? KEEP;
  const isOpen = catchall !== undefined && definitionOf(catchall).type !== 'never';
  const others = isOpen ? (toPicker(catchall, known) ?? KEEP) : undefined;
  if (others === KEEP && Object.values(pickers).every((pick) => pick === KEEP)) return undefined;
  const filled = Object.entries(shape).filter(([, field]) => isFilled(field));
  const pickAll = (value: Fields): Fields => pickFields(value, (name) => pickers[name] ?? others);
  if (filled.length === 0) return ofObjects(pickAll);
  const defaults = filled.map(([name]) => [name, pickers[name] ?? KEEP] as const);
  return ofObjects((value) => fillFields(pickAll(value), defaults));
}

/** The copy is made where the first field is missing. */
function fillFields(value: Fields, defaults: readonly (readonly [name: string, pick: Picker])[]): Fields {
  let filled = value;
  for (const [name, pick] of defaults) {
    if (name in value) continue;
    if (filled === value) filled = { ...value };
    filled[name] = pick(undefined);
  }
  return filled;
}

function toRecordPicker(pick: Picker | undefined): Picker | undefined {
  return pick && ofObjects((value) => pickFields(value, () => pick));
}

/** The copy begins with the first field that differs. */
function pickFields(value: Fields, pickerOf: (name: string) => Picker | undefined): Fields {
  let copy: Fields | undefined;
  for (const name in value) {
    const pick = pickerOf(name);
    const own = value[name];
    const picked = pick === undefined || pick === KEEP ? own : pick(own);
    if (copy === undefined) {
      if (pick !== undefined && picked === own) continue;
      copy = copyUntil(value, name);
    }
    if (pick !== undefined) copy[name] = picked;
  }
  return copy ?? value;
}

type Fields = Record<string, unknown>;

function copyUntil(value: Fields, end: string): Fields {
  const copy: Fields = {};
  for (const name in value) {
    if (name === end) break;
    copy[name] = value[name];
  }
  return copy;
}

/** A value that says for itself how it is written as JSON is asked for that first. Dates, lists and texts are no objects here. */
function ofObjects(pick: (value: Fields) => Fields): Picker {
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value) || value instanceof Date) return value;
    const { toJSON } = value as { readonly toJSON?: unknown };
    const plain: unknown = typeof toJSON === 'function' ? Reflect.apply(toJSON, value, ['']) : value;
    return typeof plain === 'object' && plain !== null && !Array.isArray(plain) ? pick(plain as Fields) : plain;
  };
}

function toListPicker(first: readonly (Picker | undefined)[], rest: Picker | undefined): Picker | undefined {
  if (rest === undefined && first.every((pick) => pick === undefined)) return undefined;
  return (value) => {
    if (!Array.isArray(value)) return value;
    let copy: unknown[] | undefined;
    for (let index = 0; index < value.length; index++) {
      const own: unknown = value[index];
      const pick = index < first.length ? first[index] : rest;
      const picked = pick === undefined ? own : pick(own);
      if (copy === undefined && picked !== own) copy = value.slice(0, index);
      copy?.push(picked);
    }
    return copy ?? value;
  };
}

/** Members that drop nothing (texts, null) need no look; where several do, the first that fits the value says what is dropped. */
function toUnionPicker(options: readonly Schema[], known: Known): Picker | undefined {
  const members = options.flatMap((option) => {
    const pick = toPicker(option, known);
    return pick === undefined ? [] : [{ pick, fits: toTest(option) }];
  });
  const [only, ...others] = members;
  if (only === undefined) return undefined;
  const isAlone = others.length === 0 && options.length - 1 === options.filter(isScalar).length;
  if (isAlone) return only.pick;
  const candidates = options.map((option) => ({ pick: toPicker(option, known) ?? KEEP, fits: toTest(option) }));
  return (value) => {
    if (typeof value !== 'object' || value === null) return value;
    return (candidates.find(({ fits }) => fits(value)) ?? only).pick(value);
  };
}

function isScalar(schema: Schema): boolean {
  return scalars.has(definitionOf(schema).type);
}

const scalars: ReadonlySet<string> = new Set(
  'string number boolean bigint null undefined literal enum date'.split(' '),
);

/** A member whose code is asynchronous cannot be asked in time; it is taken not to fit. */
function toTest(schema: Schema): (value: unknown) => boolean {
  let parse: ReturnType<typeof createSchemaParser> | undefined;
  return (value) => {
    parse ??= createSchemaParser(schema);
    const result = andThen(parse(value), ({ success }) => success);
    if (!isPromise(result)) return result;
    void result.then(undefined, () => {});
    return false;
  };
}

/** The fields that either side declares. */
function toIntersectionPicker({ left, right }: DeepDefinition, known: Known): Picker | undefined {
  const one = left && toPicker(left, known);
  const other = right && toPicker(right, known);
  if (one === undefined || other === undefined) return undefined;
  return ofObjects((value) => {
    const first = one(value);
    const second = other(value);
    return (first === value || second === value ? value : toBoth(first, second)) as Fields;
  });
}

/** Joins two picks of one value: the fields of either. */
function toBoth(one: unknown, other: unknown): unknown {
  if (Array.isArray(one) && Array.isArray(other)) return one.map((item, index) => toBoth(item, other[index]));
  if (!isFields(one) || !isFields(other)) return other;
  const both: Fields = { ...one };
  for (const [name, value] of Object.entries(other)) both[name] = name in one ? toBoth(one[name], value) : value;
  return both;
}

function isFields(value: unknown): value is Fields {
  const prototype: unknown = typeof value === 'object' && value !== null ? Object.getPrototypeOf(value) : undefined;
  return prototype === Object.prototype || prototype === null;
}
