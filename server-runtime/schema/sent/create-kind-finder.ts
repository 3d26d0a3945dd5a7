import type { DeepDefinition } from '../inner-schemas.ts';
import { definitionOf, isZodSchema, type Schema } from '../schema.ts';
import { findKinds, type Kinds } from './find-kinds.ts';

/** Gives the kinds of a value as JSON; undefined where it has none. */
export type KindFinder = (value: unknown) => string | undefined;

/**
 * The finder for the values of a schema, or of none; undefined where they hold no dates and no big integers. Most schemas say where those
 * are, so that values are not looked at: only where a text may stand beside a date, or where code decides what comes.
 */
export function createKindFinder(schema: Schema | undefined): KindFinder | undefined {
  const kinds = schema === undefined || !isZodSchema(schema) ? LOOK : readKinds(schema);
  if (kinds === undefined) return undefined;
  if (kinds === LOOK) return (value) => toText(findKinds(value));
  const text = toText(kinds);
  return () => text;
}

/** The schema does not say, so that the value has to be looked at. */
const LOOK = Symbol('look');
type Told = Kinds | typeof LOOK | undefined;

function toText(kinds: Kinds | undefined): string | undefined {
  return kinds === undefined ? undefined : JSON.stringify(kinds);
}

/** A schema that holds itself has no end that could be written down. */
function readKinds(schema: Schema): Told {
  const place = { above: new Set<Schema>(), circles: { found: false } };
  const told = toKinds(schema, place);
  return told !== undefined && place.circles.found ? LOOK : told;
}

interface Place {
  /** The schemas that this one is inside of. */
  readonly above: ReadonlySet<Schema>;
  /** Whether one of them was met again. */
  readonly circles: { found: boolean };
}

function toKinds(schema: Schema, { above, circles }: Place): Told {
  if (above.has(schema)) {
    circles.found = true;
    return undefined;
  }
  const within = { above: new Set(above).add(schema), circles };
  const inside = (inner: Schema | null | undefined): Told => (inner ? toKinds(inner, within) : undefined);
  const definition: DeepDefinition = definitionOf(schema);
  switch (definition.type) {
    case 'date':
    case 'bigint':
      return definition.type;
    case 'object':
      return inside(definition.catchall) === undefined
        ? toNamed(Object.entries(definition.shape ?? {}).map(([name, field]) => [name, inside(field)]))
        : LOOK;
    case 'array':
      return toEach(inside(definition.element));
    case 'record':
      return toEach(inside(definition.valueType));
    case 'tuple':
      return inside(definition.rest) === undefined
        ? toNamed((definition.items ?? []).map((item, index) => [String(index), inside(item)]))
        : LOOK;
    case 'union':
      return toEither(definition.options ?? [], inside);
    case 'intersection':
      return inside(definition.left) === undefined && inside(definition.right) === undefined ? undefined : LOOK;
    case 'literal':
      return definition.values?.some((value) => typeof value === 'bigint') === true ? LOOK : undefined;
    case 'lazy':
      return inside(definition.getter?.());
    case 'pipe':
      return inside(definition.out);
    default:
      return definition.innerType === undefined
        ? plainTypes.has(definition.type)
          ? undefined
          : LOOK
        : inside(definition.innerType);
  }
}

/** The types whose values are texts, numbers and the like; and those of which nothing is known, also to the compiler. */
const plainTypes: ReadonlySet<string> = new Set(
  'string number int boolean null undefined void never nan enum template_literal symbol any unknown success file'.split(
    ' ',
  ),
);

function toEach(item: Told): Told {
  return item === undefined || item === LOOK ? item : [item];
}

function toNamed(fields: readonly (readonly [name: string, kinds: Told])[]): Told {
  const told = fields.flatMap(([name, kinds]) => (kinds === undefined ? [] : [[name, kinds] as const]));
  if (told.length === 0) return undefined;
  return told.some(([, kinds]) => kinds === LOOK) ? LOOK : (Object.fromEntries(told) as Kinds);
}

/** One member with dates tells of all where the others are no texts, lists or objects: a date or null. */
function toEither(options: readonly Schema[], inside: (inner: Schema) => Told): Told {
  const told = options.map(inside);
  const [only, ...others] = told.filter((kinds) => kinds !== undefined);
  if (only === undefined) return undefined;
  const isClear = others.length === 0 && options.every((option, at) => told[at] !== undefined || isTextless(option));
  return isClear ? only : LOOK;
}

function isTextless(schema: Schema): boolean {
  const { type, values = [], innerType } = definitionOf(schema);
  if (type === 'literal') return values.every((value) => typeof value !== 'string');
  if (innerType !== undefined) return isTextless(innerType);
  return ['number', 'int', 'boolean', 'null', 'undefined', 'void', 'never', 'nan'].includes(type);
}
