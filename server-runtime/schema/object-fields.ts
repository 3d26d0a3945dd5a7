import { definitionOf, type Schema } from './schema.ts';

/** The named fields of an input schema, in declaration order. */
export type ObjectFields = ReadonlyMap<string, Schema>;

/**
 * The fields of an object schema, looked for through optional, default, nullable, readonly, pipe input, transform and
 * both sides of an intersection. Undefined when the schema is not an object (a record, a union, a string).
 */
export function findObjectFields(schema: Schema | undefined): ObjectFields | undefined {
  return schema === undefined ? undefined : collect(schema, 0);
}

/** The names of the fields of an object schema, or of any object of a union; none for other schemas. */
export function findFieldNames(schema: Schema | undefined, depth = 0): ReadonlySet<string> {
  if (schema === undefined || depth > MAX_DEPTH) return new Set();
  const fields = findObjectFields(schema);
  if (fields !== undefined) return new Set(fields.keys());
  const { options } = definitionOf(schema);
  const inner = options ?? [innerSchema(schema)];
  return new Set(inner.flatMap((one) => [...findFieldNames(one, depth + 1)]));
}

/** A schema that contains itself through `lazy` without an object between is given up at this depth. */
const MAX_DEPTH = 50;

function collect(schema: Schema, depth: number): ObjectFields | undefined {
  if (depth > MAX_DEPTH) return undefined;
  const definition = definitionOf(schema);
  if (definition.type === 'object') return new Map(Object.entries(definition.shape ?? {}));
  if (definition.type === 'intersection' && definition.left !== undefined && definition.right !== undefined) {
    const left = collect(definition.left, depth + 1);
    const right = collect(definition.right, depth + 1);
    return left === undefined && right === undefined ? undefined : new Map([...(left ?? []), ...(right ?? [])]);
  }
  const inner = innerSchema(schema);
  return inner === undefined ? undefined : collect(inner, depth + 1);
}

/**
 * The schema behind one wrapper (optional, default, nullable, readonly, catch, lazy, and the input side of a pipe; the output
 * side where the input side is a bare function, as in `z.preprocess`). Undefined for a schema that wraps none.
 */
export function innerSchema(schema: Schema): Schema | undefined {
  const definition = definitionOf(schema);
  switch (definition.type) {
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
    case 'nonoptional':
    case 'readonly':
    case 'catch':
      return definition.innerType;
    case 'lazy':
      return definition.getter?.();
    case 'pipe':
      return definition.in !== undefined && definitionOf(definition.in).type === 'transform'
        ? definition.out
        : definition.in;
    default:
      return undefined;
  }
}
