import type { z } from 'zod';
import type { JsonSchema } from '../to-json-schema.ts';
import { type SchemaSide, type StandardSchema, writeStandardJsonSchema } from './standard-schema.ts';
import { toZodShape } from './to-zod-shape.ts';

/** Both forms of a schema that is not of zod. */
interface Known {
  readonly json: Partial<Record<SchemaSide, JsonSchema>>;
  zod?: z.ZodType;
}

const known = new WeakMap<StandardSchema, Known>();

/** The JSON Schema of one side, without `$schema`. Always the same object, which nobody may change. */
export function toStandardJson(schema: StandardSchema, side: SchemaSide): JsonSchema {
  const { json } = knownOf(schema);
  if (json[side] === undefined) {
    const { $schema: _dialect, ...written } = writeStandardJsonSchema(schema, side) as JsonSchema;
    json[side] = written;
  }
  return json[side];
}

/** The schema as one of zod, which says of what shape an input is. It never judges one: patterns and other rules are left out of it. */
export function toZodSchema(schema: StandardSchema): z.ZodType {
  const entry = knownOf(schema);
  entry.zod ??= toZodShape(toStandardJson(schema, 'input'));
  return entry.zod;
}

function knownOf(schema: StandardSchema): Known {
  const entry = known.get(schema) ?? { json: {} };
  known.set(schema, entry);
  return entry;
}
