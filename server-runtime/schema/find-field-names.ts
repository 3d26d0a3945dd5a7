import { describe } from './describe.ts';
import { isObject } from './lens.ts';
import { definitionOf, type Schema } from './schema.ts';

/**
 * The names of the fields of an object schema, in declaration order, whatever is around it (optional, default, a
 * transform, an intersection). Undefined for what is not one object (a record, a union, a string).
 */
export function findFieldNames(schema: Schema | undefined): ReadonlySet<string> | undefined {
  const [only, ...others] = findBranches(schema);
  return only === undefined || others.length > 0 ? undefined : new Set(only);
}

/** The same, and of a union the names of the fields of any object in it; none for other schemas. */
export function findAllFieldNames(schema: Schema | undefined): ReadonlySet<string> {
  return new Set(findBranches(schema).flatMap((names) => names ?? []));
}

/** The names of each kind of value that is taken; undefined for what is not an object, or takes any names. */
function findBranches(schema: Schema | undefined): readonly (readonly string[] | undefined)[] {
  if (schema === undefined) return [];
  // Servers ask at start, where describing every schema would take the most time.
  const { type, shape } = definitionOf(schema);
  if (type === 'object' && shape !== undefined) return [Object.keys(shape)];
  return describe(schema).lens.branches.map((branch) => {
    const names = Object.keys(branch.properties ?? {});
    return isObject(branch) && (names.length > 0 || !('additionalProperties' in branch)) ? names : undefined;
  });
}
