import type { Schema } from './schema.ts';
import { type JsonSchema, type SchemaNode, toJsonSchema } from './to-json-schema.ts';

/**
 * The JSON Schema of what is sent between machines. Input and output alike are what their schema takes: an answer is checked
 * by its output schema, not parsed by it. Dates are texts; the bounds that every integer has are left out.
 */
export function toWireSchema(schema: Schema, onNode: (node: SchemaNode) => void = () => {}): JsonSchema {
  return toJsonSchema(schema, {
    io: 'input',
    onNode: (node) => {
      const { type, json } = node;
      if (type === 'date') Object.assign(json, { type: 'string', format: 'date-time' });
      if (json['maximum'] === Number.MAX_SAFE_INTEGER) delete json['maximum'];
      if (json['minimum'] === Number.MIN_SAFE_INTEGER) delete json['minimum'];
      onNode(node);
    },
  });
}
