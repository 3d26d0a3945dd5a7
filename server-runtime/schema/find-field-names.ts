import { describe } from './describe.ts';
import { toObjectBranches } from './lens.ts';
import { definitionOf, isZodSchema, type Schema } from './schema.ts';

/**
 * The names of the fields of an object schema, in declaration order, looked for through optional, default, nullable,
 * readonly, pipe input, transform and both sides of an intersection. Undefined for what is not an object (a record, a
 * union, a string). A schema of zod is not described for them: servers ask at start.
 */
export function findFieldNames(schema: Schema | undefined): ReadonlySet<string> | undefined {
  return collect(schema, false);
}

/** The same, and of a union the names of the fields of any object in it; none for other schemas. */
export function findAllFieldNames(schema: Schema | undefined): ReadonlySet<string> {
  return collect(schema, true) ?? new Set();
}

/** A schema that contains itself through `lazy` without an object between is given up at this depth. */
const MAX_DEPTH = 50;

function collect(schema: Schema | undefined, ofUnions: boolean, depth = 0): ReadonlySet<string> | undefined {
  if (schema === undefined || depth > MAX_DEPTH) return undefined;
  if (!isZodSchema(schema)) {
    const objects = toObjectBranches(describe(schema).input).filter(({ fields, rest }) => fields.size > 0 || !rest);
    const names = objects.flatMap(({ fields }) => [...fields.keys()]);
    return ofUnions || objects.length === 1 ? new Set(names) : undefined;
  }
  const { type, shape = {}, left, right, options = [] } = definitionOf(schema);
  const inside = (part: Schema | undefined): ReadonlySet<string> | undefined => collect(part, ofUnions, depth + 1);
  if (type === 'object') return new Set(Object.keys(shape));
  if (type === 'union' && !ofUnions) return undefined;
  if (type !== 'union' && type !== 'intersection') return inside(innerSchema(schema));
  const parts = [...options, left, right].map(inside).filter((names) => names !== undefined);
  return parts.length === 0 ? undefined : new Set(parts.flatMap((names) => [...names]));
}

/**
 * The schema behind one wrapper (optional, default, nullable, readonly, catch, lazy, and the input side of a pipe; the
 * output side where the input side is a bare function, as in `z.preprocess`). Undefined for a schema that wraps none.
 */
export function innerSchema(schema: Schema): Schema | undefined {
  const { type, innerType, getter, in: from, out } = definitionOf(schema);
  if (type === 'lazy') return getter?.();
  if (type !== 'pipe') return type === 'success' ? undefined : innerType;
  return from !== undefined && definitionOf(from).type === 'transform' ? out : from;
}
