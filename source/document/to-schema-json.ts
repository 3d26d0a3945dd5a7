import { CHECKS } from '../../server-runtime/openapi/schema-converter.ts';
import { findFileRules } from '../../server-runtime/schema/find-file-rules.ts';
import type { JsonSchema } from '../../server-runtime/schema/json-schema.ts';
import { definitionOf, type Schema, type SchemaSide } from '../../server-runtime/schema/schema.ts';
import { toBareJson } from '../../server-runtime/schema/to-json-schema.ts';
import { attempt } from '../values/attempt.ts';
import { remember } from '../values/once.ts';
import { toZodChecks } from './note-checks.ts';

/**
 * The JSON Schema of one side of a schema that is looked at by itself, with its marks: `{"x-capix-kind": "date"}` for
 * what JSON cannot say, and an uploaded file as a binary string with its rules. One that cannot be converted admits
 * anything.
 */
export function toSchemaJson(schema: Schema, io: SchemaSide): JsonSchema {
  return remember(
    written[io],
    schema,
    (): JsonSchema => attempt(() => toBareJson(schema, io, markKind)) ?? {},
  );
}

const written = {
  input: new WeakMap<Schema, JsonSchema>(),
  output: new WeakMap<Schema, JsonSchema>(),
};

function markKind(schema: Schema, json: JsonSchema): void {
  const { type } = definitionOf(schema);
  const checks = toZodChecks(schema).filter((check) => /^(code|form) /.test(check));
  if (checks.length > 0) json[CHECKS] = checks;
  const file = type === 'custom' ? findFileRules(schema) : undefined;
  if (file !== undefined) {
    const { maxSize, accept } = file;
    Object.assign(json, { type: 'string', format: 'binary', 'x-capix-file': { maxSize, accept } });
  } else if (unrepresentable.has(type) && json['type'] === undefined) json['x-capix-kind'] = type;
}

const unrepresentable: ReadonlySet<string> = new Set(
  'date bigint symbol undefined void map set file custom function promise nan'.split(' '),
);
