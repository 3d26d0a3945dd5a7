import { mapSubschemas } from '../map-subschemas.ts';
import type { ZodSchema } from '../schema.ts';
import type { JsonSchema, ToJsonSchemaOptions } from '../to-json-schema.ts';
import type { StandardSchema } from './standard-schema.ts';
import { toStandardJson } from './to-zod-schema.ts';

/** A copy of the JSON Schema that a library writes. Each schema inside is visited as those of zod are, innermost first. */
export function visitStandardJson(schema: StandardSchema, { io, onNode }: ToJsonSchemaOptions): JsonSchema {
  const visit = (original: JsonSchema): JsonSchema => {
    if (typeof original !== 'object') return original;
    const json = mapSubschemas(original, visit);
    const node = nodeOf(original);
    onNode?.({ schema: node, type: node._zod.def.type, json });
    return json;
  };
  return visit(toStandardJson(schema, io));
}

/** The parts of a library's JSON Schema stand for schemas, each for one and the same, however often it is converted. */
const nodes = new WeakMap<JsonSchema, ZodSchema>();

function nodeOf(json: JsonSchema): ZodSchema {
  const node = nodes.get(json) ?? { _zod: { input: undefined, output: undefined, def: toDefinition(json) } };
  nodes.set(json, node);
  return node;
}

/** The kinds as zod names them, where its names differ from those of JSON Schema. */
function toDefinition(json: JsonSchema): { readonly type: string } {
  const { type, enum: values, anyOf, oneOf } = json;
  if (anyOf !== undefined || oneOf !== undefined) return { type: 'union' };
  if (values !== undefined || 'const' in json) return { type: 'enum' };
  const definition = { type: type === 'integer' ? 'number' : typeof type === 'string' ? type : 'any', shape: {} };
  return definition;
}
