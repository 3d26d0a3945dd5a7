import { $ZodIntersection, type $ZodObject, util } from 'zod/v4/core';
import { describe } from '../schema/describe.ts';
import { definitionOf, isZodSchema, type Schema, type StandardResult, type StandardSchema } from '../schema/schema.ts';

/**
 * The schema of the fields of both. Two objects of zod are one object, whose unknown fields are as the second says,
 * where it says.
 */
export function joinSchemas(one: Schema, other: Schema): Schema {
  if (!isZodSchema(one) || !isZodSchema(other)) return toBoth([one, other]);
  if (!isPlainObject(one) || !isPlainObject(other))
    return new $ZodIntersection({ type: 'intersection', left: one as never, right: other as never }) as never;
  const [first, second] = [one as unknown as $ZodObject, other as unknown as $ZodObject];
  return (second._zod.def.catchall === undefined
    ? util.extend(first, second._zod.def.shape)
    : util.merge(first, second)) as unknown as Schema;
}

function isPlainObject(schema: Schema): boolean {
  const { type, checks = [] } = definitionOf(schema);
  return type === 'object' && checks.length === 0;
}

/** Runs both on the same value, and puts together what they make. */
function toBoth(schemas: readonly [Schema, Schema]): Schema {
  const both = schemas.map((schema) => (schema as StandardSchema)['~standard']);
  return {
    '~standard': {
      version: 1,
      vendor: 'capix',
      validate: async (value: unknown) => join(await Promise.all(both.map(async (each) => each.validate(value)))),
      jsonSchema: {
        input: () => ({ allOf: schemas.map((schema) => describe(schema).input) }),
        output: () => ({ allOf: schemas.map((schema) => describe(schema).output) }),
      },
    },
  } as StandardSchema;
}

function join(results: readonly StandardResult[]): StandardResult {
  const issues = results.flatMap((result) => result.issues ?? []);
  if (issues.length > 0) return { issues };
  return { value: Object.assign({}, ...results.map((result) => (result as { value?: unknown }).value)) as unknown };
}
