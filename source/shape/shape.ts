/**
 * A model of what a JSON Schema admits, read once. JSON Schema can say the same in several ways (`type: [...]`, `const`, `nullable`, `allOf`, `$ref`);
 * the model says it in one. Fields and items are made when they are first asked for, since a schema may contain itself; the shape of one schema is one
 * object.
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
  | NeverShape
  | NullShape
  | BooleanShape
  | StringShape
  | NumberShape
  | FileShape
  | LiteralShape
  | ArrayShape
  | TupleShape
  | ObjectShape
  | RecordShape
  | UnionShape
  | TaggedUnionShape
  | IntersectionShape
  | ReferenceShape
  | ForeignShape
  | OtherShape;

export interface AnyShape {
  readonly kind: 'any';
}

export interface NeverShape {
  readonly kind: 'never';
}

export interface NullShape {
  readonly kind: 'null';
}

export interface BooleanShape {
  readonly kind: 'boolean';
}

/** Limits without a type say nothing of values of other types. */
interface Limits {
  /** Whether every value of another type is admitted too, because the schema does not name its own: `{"minLength": 1}`. */
  readonly admitsOthers: boolean;
}

export interface StringShape extends Limits {
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
  /** The media type of what is encoded: `image/png`. */
  readonly mediaType?: string | undefined;
}

export interface NumberShape extends Limits {
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

/** A part of a form with bytes; as JSON a text. */
export interface FileShape {
  readonly kind: 'file';
  /** Bytes. */
  readonly minSize?: number | undefined;
  readonly maxSize?: number | undefined;
  /** `image/png`, `image/*`; empty where any is taken. */
  readonly mediaTypes: readonly string[];
}

/** One of a few values; `null` among them is a branch of a union beside it. */
export interface LiteralShape {
  readonly kind: 'literal';
  /** JSON, at least one, each once. */
  readonly values: readonly unknown[];
}

interface Items extends Limits {
  readonly minItems?: number | undefined;
  readonly maxItems?: number | undefined;
  readonly isUnique: boolean;
}

export interface ArrayShape extends Items {
  readonly kind: 'array';
  readonly items: LazyShape;
}

export interface TupleShape extends Items {
  readonly kind: 'tuple';
  /** The items by position. `minItems` says how many of them are there. */
  readonly items: readonly LazyShape[];
  /** The items that follow them: `never` where nothing may. */
  readonly rest: LazyShape;
}

export interface ObjectShape extends Limits {
  readonly kind: 'object';
  /** The fields in the order of the schema. */
  readonly fields: readonly ShapeField[];
  /** Fields whose name matches a regular expression, named ones too. */
  readonly patterns: readonly ShapePattern[];
  /** All other fields: `never` where they are refused, undefined where the schema speaks only of those it names, so that others are let pass. */
  readonly additional?: LazyShape | undefined;
  /** The shape that every name fits; undefined for any. */
  readonly names?: LazyShape | undefined;
  readonly minFields?: number | undefined;
  readonly maxFields?: number | undefined;
}

export interface ShapeField {
  readonly name: string;
  readonly isRequired: boolean;
  readonly shape: LazyShape;
}

export interface ShapePattern {
  readonly pattern: string;
  readonly shape: LazyShape;
}

/** An object of which names and values are alike. */
export interface RecordShape extends Limits {
  readonly kind: 'record';
  readonly keys: LazyShape;
  readonly values: LazyShape;
  /** Whether each of the keys, which are literals, must be there. */
  readonly isExhaustive: boolean;
  readonly minFields?: number | undefined;
  readonly maxFields?: number | undefined;
}

/** Any of several; a value that may be null is one with a branch for `null`. */
export interface UnionShape {
  readonly kind: 'union';
  /** At least two, none of them a union that says the same in more words. */
  readonly variants: readonly Shape[];
  /** Whether a value that fits two of them is refused. */
  readonly isExclusive: boolean;
}

/** Objects (or references to them) that are told apart by a required field whose literals differ. */
export interface TaggedUnionShape {
  readonly kind: 'tagged union';
  /** The name of the field. */
  readonly tag: string;
  readonly variants: readonly TaggedVariant[];
}

export interface TaggedVariant {
  /** The literals of the tag. */
  readonly values: readonly unknown[];
  readonly shape: Shape;
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
  /** `other` where it leads nowhere. */
  readonly target: LazyShape;
}

/** A value that JSON has no word for, in its author's language: anything, as far as JSON Schema is concerned. */
export interface ForeignShape {
  readonly kind: 'foreign';
  /** zod's name: `date`, `bigint`, `map`. */
  readonly type: string;
}

/** A shape, and restrictions that this model cannot say. */
export interface OtherShape {
  readonly kind: 'other';
  readonly base: Shape;
  /** The keywords that it cannot say, with what they are given: `{"if": …, "then": …}`. */
  readonly keywords: Readonly<Record<string, unknown>>;
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
