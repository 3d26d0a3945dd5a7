/**
 * A model of what a JSON Schema admits, read once. JSON Schema can say the same in several ways (`type: [...]`,
 * `const`, `nullable`, `allOf`, `$ref`); the model says it in one. Fields and items are made when they are first asked
 * for, since a schema may contain itself; the shape of one schema is one object.
 */
export type Shape = ShapeNotes & ShapeKind;

export type LazyShape = () => Shape;

/** The notes on a value, which restrict nothing. */
export interface ShapeNotes {
  readonly title?: string | undefined;
  /** The name that the author gave to the schema. */
  readonly id?: string | undefined;
  readonly description?: string | undefined;
  /** JSON; undefined without one. */
  readonly default?: unknown;
  /** JSON. */
  readonly examples?: readonly unknown[] | undefined;
  readonly isDeprecated?: true | undefined;
  readonly isReadOnly?: true | undefined;
  readonly isWriteOnly?: true | undefined;
  /** Rules that JSON Schema cannot say, where an own document has them: a word for each. */
  readonly checks?: readonly string[] | undefined;
}

export type ShapeKind =
  | AnyShape
  | BooleanShape
  | StringShape
  | NumberShape
  | LiteralShape
  | ListShape
  | ObjectShape
  | UnionShape
  | IntersectionShape
  | ReferenceShape
  | UnclearShape;

export interface AnyShape {
  readonly kind: 'any';
  /** zod's name of a value that JSON has no word for: `date`, `bigint`, `map`. */
  readonly type?: string | undefined;
}

export interface BooleanShape {
  readonly kind: 'boolean';
}

/** A text; with the format `binary` the bytes of a file, whose lengths are bytes. */
export interface StringShape {
  readonly kind: 'string';
  /** Characters. */
  readonly minLength?: number | undefined;
  readonly maxLength?: number | undefined;
  /** Regular expressions, all of which match. One that belongs to a format stands beside it. */
  readonly patterns: readonly string[];
  /** The formats of the text, which are not checked: `email`, `date-time`. */
  readonly formats: readonly string[];
  /** The value that it stands for in the program, where an own document says it. */
  readonly standsFor?: 'date' | 'bigint' | undefined;
  /** `base64` */
  readonly encoding?: string | undefined;
  /** `image/png`, `image/*`; undefined where any is taken. */
  readonly mediaTypes?: readonly string[] | undefined;
}

export interface NumberShape {
  readonly kind: 'number';
  readonly isInteger: boolean;
  readonly min?: Bound | undefined;
  readonly max?: Bound | undefined;
  /** The value is a multiple of each. */
  readonly multiples: readonly number[];
  /** `int32`, `double`. */
  readonly formats: readonly string[];
}

export interface Bound {
  readonly value: number;
  /** Whether the value itself is outside. */
  readonly isExclusive: boolean;
}

/** One of a few values; `null` stands alone, as a branch of a union beside the others. */
export interface LiteralShape {
  readonly kind: 'literal';
  /** JSON, at least one, each once. */
  readonly values: readonly unknown[];
}

export interface ListShape {
  readonly kind: 'list';
  /** The items by position, of a tuple. `minItems` says how many of them are there. */
  readonly first: readonly LazyShape[];
  /** The items that follow them: nothing where none may. */
  readonly rest: LazyShape;
  readonly minItems?: number | undefined;
  readonly maxItems?: number | undefined;
  readonly isUnique: boolean;
}

export interface ObjectShape {
  readonly kind: 'object';
  /** The fields in the order of the schema. */
  readonly fields: readonly ShapeField[];
  /** All other fields: nothing where they are refused, undefined where the schema does not speak of them. */
  readonly rest?: LazyShape | undefined;
  /** The shape that every name fits; undefined for any. */
  readonly names?: LazyShape | undefined;
  /** Whether names and values are alike: its fields are the names that must be there. @default false */
  readonly isRecord?: true | undefined;
  readonly minFields?: number | undefined;
  readonly maxFields?: number | undefined;
}

export interface ShapeField {
  readonly name: string;
  readonly isRequired: boolean;
  readonly shape: LazyShape;
}

/** Any of several; a value that may be null is one with a branch for `null`. Of none it admits nothing. */
export interface UnionShape {
  readonly kind: 'union';
  /** None, or at least two, none of them a union that says the same in more words. */
  readonly variants: readonly Shape[];
  /** Whether a value that fits two of them is refused. */
  readonly isExclusive: boolean;
}

/** All of several, where they do not come to one shape: parts that are references keep their names. */
export interface IntersectionShape {
  readonly kind: 'intersection';
  readonly parts: readonly Shape[];
}

/** A schema that stands elsewhere, perhaps around this place. */
export interface ReferenceShape {
  readonly kind: 'reference';
  /** As written: `#/components/schemas/User`. */
  readonly reference: string;
  /** `unclear` where it leads nowhere. */
  readonly target: LazyShape;
}

/** A shape, and restrictions that this model cannot say. */
export interface UnclearShape {
  readonly kind: 'unclear';
  readonly base: Shape;
  /** The keywords that it cannot say, with what they are given: `{"if": …, "then": …}`. */
  readonly keywords: Readonly<Record<string, unknown>>;
}

export function isNull(shape: ShapeKind): boolean {
  return shape.kind === 'literal' && shape.values[0] === null;
}

export function isNothing(shape: ShapeKind): boolean {
  return shape.kind === 'union' && shape.variants.length === 0;
}

/** Whether a text stands for the bytes of a file. */
export function isFile(shape: ShapeKind): boolean {
  return shape.kind === 'string' && shape.formats.includes('binary');
}

/** The fields of an object, and of a record those of its known names. */
export function findFields({ fields, names, rest, isRecord }: ObjectShape): readonly ShapeField[] {
  const key = names?.();
  if (isRecord !== true || fields.length > 0 || key?.kind !== 'literal' || rest === undefined) return fields;
  return key.values.map((name) => ({ name: String(name), isRequired: false, shape: rest }));
}

const noteNames = [
  'title',
  'id',
  'description',
  'default',
  'examples',
  'isDeprecated',
  'isReadOnly',
  'isWriteOnly',
] as const satisfies readonly (keyof ShapeNotes)[];

/** Gives the notes on a shape, without the shape. */
export function pickNotes(shape: Shape): ShapeNotes {
  const said = noteNames.filter((name) => shape[name] !== undefined);
  return Object.fromEntries(said.map((name) => [name, shape[name]]));
}

export function hasNotes(shape: Shape): boolean {
  return noteNames.some((name) => shape[name] !== undefined);
}

/** Makes a value, mostly a shape, when it is first asked for, and gives the same one from then on. */
export function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}
