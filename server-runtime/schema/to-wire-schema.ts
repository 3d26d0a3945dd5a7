import { definitionOf, isZodSchema, type Schema } from './schema.ts';
import { type JsonSchema, type SchemaNode, type ToJsonSchemaOptions, toJsonSchema } from './to-json-schema.ts';

export interface WireSchemaOptions extends Pick<ToJsonSchemaOptions, 'io'> {
  /** Called for every schema inside, innermost first; may change `json` in place. */
  readonly onNode?: (node: SchemaNode) => void;
}

/**
 * The JSON Schema of what is sent between machines: of an input what its schema takes, of an answer what its schema makes of what a handler
 * gives. Dates and bigints are texts; the bounds that every integer has are left out. Objects are open unless they are declared strict: what is not
 * declared is dropped, and may be declared one day.
 */
export function toWireSchema(schema: Schema, { io, onNode = () => {} }: WireSchemaOptions): JsonSchema {
  const isOfZod = isZodSchema(schema);
  return toJsonSchema(schema, {
    io,
    onNode: (node) => {
      const { schema, type, json } = node;
      if (type === 'object') {
        dropUnsendable(schema, json);
        // Zod closes the objects of this side where nobody asked for it.
        if (isOfZod && definitionOf(schema).catchall === undefined) delete json['additionalProperties'];
      }
      if (type === 'date') Object.assign(json, { type: 'string', format: 'date-time' });
      if (type === 'bigint') Object.assign(json, { type: 'string', ...toDigits(schema) });
      if (json['maximum'] === Number.MAX_SAFE_INTEGER) delete json['maximum'];
      if (json['minimum'] === Number.MIN_SAFE_INTEGER) delete json['minimum'];
      onNode(node);
    },
  });
}

/** A text of digits; `z.int64()` and `z.uint64()` have a format. */
function toDigits(schema: Schema): JsonSchema {
  const { format } = definitionOf(schema) as { readonly format?: string };
  return format === undefined ? { pattern: String.raw`^-?\d+$` } : { format };
}

/** A field that may only be undefined is one that is never sent. */
function dropUnsendable(schema: Schema, json: JsonSchema): void {
  const { shape } = definitionOf(schema) as unknown as { readonly shape: Readonly<Record<string, Schema>> };
  const names = Object.keys(shape).filter((name) => isNothing(shape[name]));
  if (names.length === 0) return;
  const isLeft = ([name]: readonly [string, unknown]): boolean => !names.includes(name);
  json['properties'] = Object.fromEntries(Object.entries((json['properties'] ?? {}) as object).filter(isLeft));
  const required = ((json['required'] ?? []) as readonly string[]).filter((name) => !names.includes(name));
  if (required.length > 0) json['required'] = required;
  else delete json['required'];
}

function isNothing(schema: Schema | undefined): boolean {
  const type = schema && definitionOf(schema).type;
  return type === 'undefined' || type === 'void';
}
