import { type JsonSchema, mapSubschemas } from '../../../server-runtime/schema/json-schema.ts';
import { onceFor } from '../../values/once.ts';
import type { ApiSchema } from '../branch.ts';
import { isSchemaObject, recordOf, type SchemaJson, toTexts } from '../schema-json.ts';

/** An input as its author declared it, where a document of the tool says so: of `z.coerce.number()` a number. */
export function toDeclaredInput(input: ApiSchema | undefined): ApiSchema | undefined {
  if (input === undefined || !isSchemaObject(input.json)) return input;
  return { json: withoutCoercion(input.json), root: toDeclaredRoot(recordOf(input.root)) };
}

/** The components of a document as their authors wrote them. */
const toDeclaredRoot = onceFor((root: SchemaJson): object => {
  const schemas = Object.entries(recordOf(recordOf(root['components'])['schemas']));
  const written = schemas.map(([name, json]) => [name, withoutCoercion(json as JsonSchema)]);
  return { components: { schemas: Object.fromEntries(written) } };
});

/** `coerce boolean` says what texts become; of another coercion the first type is that which the author wrote. */
function withoutCoercion(json: JsonSchema): JsonSchema {
  if (!isSchemaObject(json)) return json;
  const inside = mapSubschemas(json, withoutCoercion);
  const { 'x-capix-checks': checks, type } = inside;
  const word = toTexts(checks).find((check) => /^coerce\b/.test(check));
  if (word === undefined) return inside;
  return {
    ...inside,
    type: Array.isArray(type) ? (type as readonly unknown[])[0] : (word.split(' ')[1] ?? type),
  };
}
