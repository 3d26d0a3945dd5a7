/**
 * Any zod 4 schema, of zod or zod/mini, of whichever copy and version of zod 4 the project has: only what this package reads of it
 * is asked for, so that two versions of zod in one project do not exclude each other.
 *
 * `Input` is what a caller may send, `Output` what the schema makes of it, after defaults and transforms.
 */
export interface Schema<out Input = unknown, out Output = unknown> {
  /** The field in which zod keeps what it knows of a schema. A schema of zod 3 has no such field: move it to zod 4. */
  readonly _zod: {
    readonly input: Input;
    readonly output: Output;
    readonly def: { readonly type: string };
  };
}
/** The input that a caller may send. */
export type InputOf<S extends Schema> = S['_zod']['input'];
/** The input that the handler gets, after defaults and transforms. */
export type OutputOf<S extends Schema> = S['_zod']['output'];

/** Whether `value` is a zod 4 schema. By shape and not by `instanceof`: the project may have another copy of zod. */
export function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && '_zod' in value;
}

/** The part of a zod definition that this package reads: its `type`, and the schemas inside it. */
export interface SchemaDefinition {
  readonly type: string;
  readonly innerType?: Schema;
  readonly in?: Schema;
  readonly out?: Schema;
  readonly left?: Schema;
  readonly right?: Schema;
  readonly element?: Schema;
  readonly shape?: Readonly<Record<string, Schema>>;
  readonly options?: readonly Schema[];
  readonly getter?: () => Schema;
  readonly catchall?: Schema;
  readonly coerce?: boolean;
  readonly values?: readonly unknown[];
  readonly entries?: Readonly<Record<string, string | number>>;
}

export function definitionOf(schema: Schema): SchemaDefinition {
  return schema._zod.def as unknown as SchemaDefinition;
}
