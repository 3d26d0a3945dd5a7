import type { JsonSchema } from '../../schema/to-json-schema.ts';

/** On the schema of a text, as an object and not in its JSON: the kind of value that it stands for in the program, `date` or `bigint`. */
const TEXT_KIND = Symbol.for('capix.text-kind');

/** The schema, which says then what its text stands for; nothing is said for undefined. */
export function withTextKind(json: JsonSchema, kind: unknown): JsonSchema {
  return kind === undefined ? json : Object.defineProperty(json, TEXT_KIND, { value: kind });
}

/** The kind of value that a text stands for. */
export function findTextKind(json: JsonSchema): unknown {
  return Reflect.get(json, TEXT_KIND);
}
