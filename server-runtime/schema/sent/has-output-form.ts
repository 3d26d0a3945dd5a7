import { toInnerSchemas } from '../inner-schemas.ts';
import { definitionOf, isOptionalSchema, isZodSchema, type Schema, toInspectable } from '../schema.ts';
import { toWireSchema } from '../to-wire-schema.ts';

/**
 * Whether the JSON Schema of what a schema gives is another than that of what it takes: a field with a default is always there in what it
 * gives, and a transform gives something else than it takes.
 */
export function hasOutputForm(schema: Schema): boolean {
  if (!isZodSchema(schema)) return toText(schema, 'input') !== toText(schema, 'output');
  return isAnywhere(schema, differsItself, new Set());
}

function differsItself(schema: Schema): boolean {
  const { type, shape = {}, in: from, out } = definitionOf(schema);
  if (type === 'object') return Object.values(shape).some(isFilled);
  if (type !== 'pipe' || from === undefined || out === undefined || definitionOf(from).type === 'transform')
    return false;
  return toText(from, 'input') !== toText(out, 'output');
}

/** Whether a field may be left out of what is taken, and not of what is given. */
function isFilled(field: Schema): boolean {
  return isOptionalSchema(field) && (toInspectable(field)._zod as { readonly optout?: string }).optout === undefined;
}

/** Dates and big integers are told from texts that look like theirs. */
function toText(schema: Schema, io: 'input' | 'output'): string {
  const json = toWireSchema(schema, {
    io,
    onNode: (node) => {
      if (node.type === 'date' || node.type === 'bigint') node.json['x-kind'] = node.type;
    },
  });
  return JSON.stringify(json);
}

/** Whether something holds of a schema or of any schema inside it. */
function isAnywhere(schema: Schema, holds: (schema: Schema) => boolean, seen: Set<Schema>): boolean {
  if (seen.has(schema)) return false;
  seen.add(schema);
  return holds(schema) || toInnerSchemas(definitionOf(schema)).some((inner) => isAnywhere(inner, holds, seen));
}
