import type { $ZodType, input, output } from 'zod/v4/core';

/** Any zod 4 schema, of zod or zod/mini, of whichever copy of zod the project has. */
export type Schema = $ZodType;
/** What a caller may send. */
export type InputOf<S extends Schema> = input<S>;
/** What the handler gets, after defaults and transforms. */
export type OutputOf<S extends Schema> = output<S>;

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
  readonly coerce?: boolean;
  readonly values?: readonly unknown[];
  readonly entries?: Readonly<Record<string, string | number>>;
}

export function definitionOf(schema: Schema): SchemaDefinition {
  return schema._zod.def as unknown as SchemaDefinition;
}
