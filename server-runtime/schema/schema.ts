import { isStandardSchema, type StandardSchema } from './standard/standard-schema.ts';
import { toZodSchema } from './standard/to-zod-schema.ts';

/**
 * Any schema of zod 4, zod/mini, valibot or arktype: only what this package reads of it is asked for, so that two versions of zod in one
 * project do not exclude each other. `Input` is what a caller may send, `Output` what the schema makes of it, after defaults and transforms.
 */
export type Schema<Input = unknown, Output = unknown> = ZodSchema<Input, Output> | StandardSchema<Input, Output>;

/** Any zod 4 schema, of zod or zod/mini. */
export interface ZodSchema<out Input = unknown, out Output = unknown> {
  /** The field in which zod keeps what it knows of a schema. A schema of zod 3 has no such field: move it to zod 4. */
  readonly _zod: {
    readonly input: Input;
    readonly output: Output;
    readonly def: { readonly type: string };
  };
}
/** The input that a caller may send. */
export type InputOf<S extends Schema> = S extends ZodSchema
  ? S['_zod']['input']
  : S extends StandardSchema
    ? NonNullable<S['~standard']['types']>['input']
    : never;
/** The input that the handler gets, after defaults and transforms. */
export type OutputOf<S extends Schema> = S extends ZodSchema
  ? S['_zod']['output']
  : S extends StandardSchema
    ? NonNullable<S['~standard']['types']>['output']
    : never;

/** Whether `value` is a schema. By shape and not by `instanceof`: the project may have another copy of its library. */
export function isSchema(value: unknown): value is Schema {
  return isZodSchema(value) || isStandardSchema(value);
}

/** Whether `value` is a zod 4 schema. */
export function isZodSchema(value: unknown): value is ZodSchema {
  return typeof value === 'object' && value !== null && '_zod' in value;
}

/** The schema, or one of zod of the same shape. */
export function toInspectable(schema: Schema): ZodSchema {
  return isZodSchema(schema) ? schema : toZodSchema(schema);
}

/**
 * Whether the value may be left out where it is a field, by its type: it is optional or has a default. The parser of zod itself also looks into a
 * catch and a preprocess where nothing was sent.
 */
export function isOptionalSchema(schema: Schema): boolean {
  const { type, in: from, out, innerType } = definitionOf(schema);
  if (type === 'catch' && innerType !== undefined) return isOptionalSchema(innerType);
  if (type === 'pipe' && from !== undefined && out !== undefined && definitionOf(from).type === 'transform')
    return isOptionalSchema(out);
  return (toInspectable(schema)._zod as { readonly optin?: string }).optin !== undefined;
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
  return toInspectable(schema)._zod.def as unknown as SchemaDefinition;
}
