import { innerSchema } from '../object-fields.ts';
import { definitionOf, type Schema } from '../schema.ts';

const MAX_DEPTH = 20;

/** The schemas behind wrappers, unions and intersections. */
export function toBranches(schema: Schema, depth = 0): readonly Schema[] {
  if (depth > MAX_DEPTH) return [];
  const { type, options, left, right } = definitionOf(schema);
  if (type === 'union' && options !== undefined) return options.flatMap((each) => toBranches(each, depth + 1));
  if (type === 'intersection') return [left, right].flatMap((each) => (each ? toBranches(each, depth + 1) : []));
  // What stands before a schema may rename fields.
  const inner = isPreprocessed(schema) ? undefined : innerSchema(schema);
  return inner === undefined ? [schema] : toBranches(inner, depth + 1);
}

function isPreprocessed(schema: Schema): boolean {
  const { type, in: first } = definitionOf(schema);
  return type === 'pipe' && first !== undefined && definitionOf(first).type === 'transform';
}
