import { describe } from './describe.ts';
import { isObject, toJsonBranches } from './lens.ts';
import { definitionOf, type Schema } from './schema.ts';

/**
 * The names of the fields of an object schema, in declaration order, whatever is around it (optional, default, a
 * transform, an intersection). Undefined for what is not one object (a record, a union, a string).
 */
export function findFieldNames(schema: Schema | undefined): ReadonlySet<string> | undefined {
  const branches = findBranches(schema);
  const [only] = branches;
  return branches.length === 1 && only !== undefined ? new Set(only) : undefined;
}

/** The same, and of a union the names of the fields of any object in it; none for other schemas. */
export function findAllFieldNames(schema: Schema | undefined): ReadonlySet<string> {
  return new Set(findBranches(schema).flatMap((names) => [...(names ?? [])]));
}

/** The names of each kind of value that is taken; undefined for what is not an object, or takes any names. */
function findBranches(schema: Schema | undefined): readonly (readonly string[] | undefined)[] {
  if (schema === undefined) return [];
  // Servers ask at start, where describing every schema would take the most time.
  const { type, shape } = definitionOf(schema);
  if (type === 'object' && shape !== undefined) return [Object.keys(shape)];
  const { input } = describe(schema);
  return toJsonBranches(input, input).map((branch) =>
    isObject(branch) && (branch.fields.size > 0 || branch.rest === undefined) ? [...branch.fields.keys()] : undefined,
  );
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
