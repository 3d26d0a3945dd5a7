import { type $ZodType, version } from 'zod/v4/core';
import type { Mistake } from '../errors/mistake.ts';

/** A schema of zod 4, zod/mini, valibot or arktype, which takes `Input` of a caller and makes `Output` of it. */
export type Schema<Input = unknown, Output = unknown> =
  | ZodSchema<Input, Output>
  | StandardSchema<Input, Output>;

export interface ZodSchema<out Input = unknown, out Output = unknown> {
  /** The field in which zod keeps its facts about a schema. A schema of zod 3 has none: move it to zod 4. */
  readonly _zod: {
    readonly input: Input;
    readonly output: Output;
    readonly def: { readonly type: string };
  };
}

export interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** Any schema of the [Standard Schema](https://standardschema.dev) interface, such as those of valibot and arktype. */
export interface StandardSchema<out Input = unknown, out Output = unknown> {
  /** A field of zod's: the compiler need not look further in its schemas. */
  readonly _zod?: undefined;
  /** The field of the interface. */
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
  };
  /** A field of zod 3, whose schemas have no JSON Schema. */
  readonly _def?: Mistake<'A schema of zod 3 cannot be used: npm install zod@^4.2.0'> | undefined;
}

export type StandardResult<Output = unknown> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

export type SchemaSide = 'input' | 'output';

/** The input that a caller may send. */
export type InputOf<S extends Schema> = SideOf<S, 'input'>;
/** The input that the handler gets, after defaults and transforms. */
export type OutputOf<S extends Schema> = SideOf<S, 'output'>;
type SideOf<S extends Schema, Side extends SchemaSide> = S extends ZodSchema
  ? S['_zod'][Side]
  : S extends StandardSchema
    ? NonNullable<S['~standard']['types']>[Side]
    : never;

/** Whether `value` is a schema. By shape and not by `instanceof`: the project may have another copy of its library. */
export function isSchema(value: unknown): value is Schema {
  return isZodSchema(value) || ('~standard' in Object(value) && !isZod3Schema(value));
}

export function isZodSchema(value: unknown): value is ZodSchema {
  return '_zod' in Object(value);
}

export function isZod3Schema(value: unknown): boolean {
  return '_def' in Object(value) && 'safeParse' in Object(value) && !isZodSchema(value);
}

/** Whether its zod is the one that this package imports: code that uses internals of one must leave others alone. */
export function isOfOurZod(schema: Schema): schema is $ZodType {
  const { major, minor, patch } = (schema as Partial<$ZodType>)._zod?.version ?? {};
  return major === version.major && minor === version.minor && patch === version.patch;
}

/** The part of a zod definition that this package reads: its `type`, and the schemas inside it. */
export interface SchemaDefinition
  extends Readonly<Partial<Record<'innerType' | 'in' | 'out' | 'catchall', Schema>>>,
    Readonly<Partial<Record<'items' | 'options' | 'checks', readonly Schema[]>>>,
    Readonly<Partial<Record<'coerce' | 'offset' | 'local', boolean>>>,
    Readonly<Partial<Record<'discriminator' | 'format', string>>> {
  readonly type: string;
  readonly shape?: Readonly<Record<string, Schema>>;
  readonly pattern?: RegExp;
  readonly precision?: number | null;
}

export function definitionOf(schema: Schema | undefined): SchemaDefinition {
  return isZodSchema(schema)
    ? (schema._zod.def as unknown as SchemaDefinition)
    : { type: 'unknown' };
}
