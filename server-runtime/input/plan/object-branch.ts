import { innerSchema } from '../../schema/object-fields.ts';
import { definitionOf, type Schema } from '../../schema/schema.ts';

/** One object that a schema takes: its named fields, and the schema of the others, where it says one. */
export interface ObjectBranch {
  readonly fields: ReadonlyMap<string, Schema>;
  readonly rest: Schema | undefined;
}

/** A schema that contains itself is given up at this depth. */
const MAX_DEPTH = 50;
/** Unions that are intersected multiply; beyond this many they are taken for one another. */
const MAX_BRANCHES = 64;

/** The objects that a schema takes: several of a union, those of both sides together of an intersection, none of a text. */
export function findObjectBranches(schema: Schema, depth = 0): readonly ObjectBranch[] {
  if (depth > MAX_DEPTH) return [];
  const inside = (part: Schema | undefined): readonly ObjectBranch[] =>
    part === undefined ? [] : findObjectBranches(part, depth + 1);
  const definition = definitionOf(schema) as ReturnType<typeof definitionOf> & {
    readonly catchall?: Schema;
    readonly valueType?: Schema;
  };
  const { type, shape = {}, catchall, valueType, options = [], left, right } = definition;
  switch (type) {
    case 'object':
      return [{ fields: new Map(Object.entries(shape)), rest: catchall }];
    case 'record':
      return [{ fields: new Map(), rest: valueType }];
    case 'union':
      return options.flatMap(inside);
    case 'intersection':
      return joinSides(inside(left), inside(right));
    default:
      return inside(innerSchema(schema));
  }
}

function joinSides(left: readonly ObjectBranch[], right: readonly ObjectBranch[]): readonly ObjectBranch[] {
  if (left.length === 0 || right.length === 0) return left.length === 0 ? right : left;
  if (left.length * right.length > MAX_BRANCHES) return [...left, ...right];
  return left.flatMap((one) =>
    right.map((other) => ({
      fields: new Map([...one.fields, ...other.fields]),
      rest: one.rest === undefined ? other.rest : one.rest,
    })),
  );
}
