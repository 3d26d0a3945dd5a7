import { toShape } from '../../shape/read/to-shape.ts';
import { resolveShape } from '../../shape/resolve-shape.ts';
import type { Shape, ShapeKind } from '../../shape/shape.ts';

/** One of the alternatives that a shape admits. */
export interface SchemaBranch {
  /** `string`, `integer`, `date`, `any`; of an object with its literal fields, by which the objects of a union are told apart: `object type="card"`. */
  readonly id: string;
  readonly shape: BranchShape;
  /** Restrictions that the model cannot say. */
  readonly keywords?: Readonly<Record<string, unknown>> | undefined;
}

/** A schema that is not a choice itself. */
export type BranchShape = Exclude<
  ShapeKind,
  { readonly kind: 'union' | 'tagged union' | 'reference' | 'never' | 'other' }
>;

/** The alternatives of a shape: those of a union, of literals one for each type of value, else the shape itself. */
export function toSchemaBranches(shape: Shape, depth = 0): readonly SchemaBranch[] {
  const whole = resolveShape(shape);
  // A union of nothing but itself.
  if (depth > MAX_DEPTH) return [{ id: 'any', shape: { kind: 'any' } }];
  switch (whole.kind) {
    case 'union':
      return whole.variants.flatMap((variant) => toSchemaBranches(variant, depth + 1));
    case 'tagged union':
      return whole.variants.flatMap((variant) => toSchemaBranches(variant.shape, depth + 1));
    case 'other':
      return toSchemaBranches(whole.base, depth + 1).map((branch) => ({
        ...branch,
        keywords: { ...branch.keywords, ...whole.keywords },
      }));
    case 'never':
      return [];
    case 'literal':
      return toLiteralBranches(whole.values);
    case 'string':
    case 'number':
    case 'array':
    case 'tuple':
    case 'object':
    case 'record':
      return whole.admitsOthers ? withOtherTypes(whole) : [{ id: toId(whole), shape: whole }];
    case 'boolean':
    case 'null':
    case 'file':
    case 'foreign':
    case 'intersection':
    case 'any':
      return [{ id: toId(whole), shape: whole }];
  }
}

const MAX_DEPTH = 20;

function toLiteralBranches(literals: readonly unknown[]): readonly SchemaBranch[] {
  const ids = [...new Set(literals.map(toTypeOf))];
  return ids.map((id) => ({
    id,
    shape: { kind: 'literal', values: literals.filter((value) => toTypeOf(value) === id) },
  }));
}

function toTypeOf(value: unknown): string {
  return Array.isArray(value) ? 'array' : typeof value;
}

/** A shape whose type is not named, as the one that it speaks of and those that it says nothing of. */
function withOtherTypes(shape: Extract<BranchShape, { readonly admitsOthers: boolean }>): readonly SchemaBranch[] {
  const own = { id: toId(shape), shape: { ...shape, admitsOthers: false } };
  const type = own.id.split(' ')[0];
  return [own, ...toSchemaBranches(everything).filter(({ id }) => id !== type)];
}

const everything = toShape({ type: ['string', 'number', 'boolean', 'array', 'object', 'null'] });

function toId(shape: BranchShape): string {
  switch (shape.kind) {
    case 'object':
      return ['object', ...toLiteralFields(shape.fields)].join(' ');
    case 'record':
      return 'object';
    case 'tuple':
      return 'array';
    case 'number':
      return shape.isInteger ? 'integer' : 'number';
    case 'foreign':
      return shape.type;
    case 'literal':
      return toTypeOf(shape.values[0]);
    case 'string':
    case 'array':
    case 'boolean':
    case 'null':
    case 'file':
    case 'intersection':
    case 'any':
      return shape.kind;
  }
}

function toLiteralFields(fields: Extract<BranchShape, { readonly kind: 'object' }>['fields']): readonly string[] {
  return fields.flatMap(({ name, shape }) => {
    const value = shape();
    return value.kind === 'literal' && value.values.length === 1 ? [`${name}=${JSON.stringify(value.values[0])}`] : [];
  });
}
