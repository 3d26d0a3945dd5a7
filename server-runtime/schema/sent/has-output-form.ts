import { type DeepDefinition, toInnerSchemas } from '../inner-schemas.ts';
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
export function isFilled(field: Schema): boolean {
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

/** The work by which values become what a schema gives. */
export type Making = 'none' | 'fill' | 'parse';

/** `fill`: only fields with defaults that are missing have to be added; `parse`: the schema itself has to run, as all of other libraries, of which
 * nobody knows what they change. */
export function toMaking(schema: Schema): Making {
  if (!isZodSchema(schema)) return 'parse';
  if (isAnywhere(schema, changes, new Set())) return 'parse';
  return isAnywhere(schema, isFilled, new Set()) ? 'fill' : 'none';
}

/** Beside a default only: in a choice or where two schemas meet, nobody but the schema knows which default is meant. */
function changes(schema: Schema): boolean {
  const { type, coerce, checks, normalize, items = [] }: DeepDefinition = definitionOf(schema);
  if (coerce === true || normalize === true || ['pipe', 'transform', 'catch'].includes(type)) return true;
  if (checks?.some(({ _zod: { def } }) => def.check === 'overwrite') === true) return true;
  if (type === 'tuple') return items.some(isFilled);
  return (type === 'union' || type === 'intersection') && isAnywhere(schema, isFilled, new Set());
}

/** Whether something holds of a schema or of any schema inside it. */
function isAnywhere(schema: Schema, holds: (schema: Schema) => boolean, seen: Set<Schema>): boolean {
  if (seen.has(schema)) return false;
  seen.add(schema);
  return holds(schema) || toInnerSchemas(definitionOf(schema)).some((inner) => isAnywhere(inner, holds, seen));
}
