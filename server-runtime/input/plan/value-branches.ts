import { innerSchema } from '../../schema/object-fields.ts';
import { definitionOf, type Schema } from '../../schema/schema.ts';
import { findObjectBranches } from './object-branch.ts';

/** The schemas that the value of one field may have, without wrappers and without null and undefined. */
export interface ValueBranches {
  /** Arrays and tuples. */
  readonly arrays: readonly Schema[];
  /** Objects, records, and intersections of them. */
  readonly objects: readonly Schema[];
  /** Everything else. */
  readonly scalars: readonly Schema[];
}

export function toValueBranches(schemas: readonly Schema[]): ValueBranches {
  const branches = schemas.flatMap((schema) => toBranches(schema, 0));
  const arrays = branches.filter((branch) => typeOf(branch) === 'array' || typeOf(branch) === 'tuple');
  const objects = branches.filter((branch) => objectTypes.has(typeOf(branch)));
  return { arrays, objects, scalars: branches.filter((each) => !arrays.includes(each) && !objects.includes(each)) };
}

const objectTypes: ReadonlySet<string> = new Set(['object', 'record', 'intersection']);

/** `z.preprocess` hands its function what was sent, so that must stay what was sent. */
export function isPreprocess(schema: Schema): boolean {
  const definition = definitionOf(schema);
  return definition.type === 'pipe' && definition.in !== undefined && typeOf(definition.in) === 'transform';
}

/** The schema of each element by its index. */
export function toElements(arrays: readonly Schema[]): (index: number) => readonly Schema[] {
  const parts = arrays.map((array) => {
    const { element, items, rest } = definitionOf(array) as ReturnType<typeof definitionOf> & {
      readonly items?: readonly Schema[];
      readonly rest?: Schema | null;
    };
    return { items: items ?? [], rest: element ?? rest ?? undefined };
  });
  return (index) => parts.flatMap(({ items, rest }) => items[index] ?? rest ?? items.at(-1) ?? []);
}

/** A schema that contains itself is given up at this depth. */
const MAX_DEPTH = 50;

function toBranches(schema: Schema, depth: number): readonly Schema[] {
  if (depth > MAX_DEPTH) return [schema];
  const { type, options, left, right } = definitionOf(schema);
  if (type === 'null' || type === 'undefined') return [];
  if (type === 'union' && options !== undefined) return options.flatMap((option) => toBranches(option, depth + 1));
  if (type === 'intersection' && left !== undefined && right !== undefined && findObjectBranches(schema).length === 0)
    return [left, right].flatMap((side) => toBranches(side, depth + 1));
  const inner = isPreprocess(schema) ? undefined : innerSchema(schema);
  return inner === undefined ? [schema] : toBranches(inner, depth + 1);
}

function typeOf(schema: Schema): string {
  return definitionOf(schema).type;
}
