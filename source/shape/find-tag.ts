import { isSameJson } from './accepts.ts';
import { findRequiredField, resolveShape } from './resolve-shape.ts';
import type { Shape } from './shape.ts';

/** A required field whose literals tell the objects of a union apart. */
export interface Tag {
  readonly name: string;
  readonly variants: readonly {
    /** The literals of the tag. */
    readonly values: readonly unknown[];
    readonly shape: Shape;
  }[];
}

/** Undefined where no field tells all of them apart. */
export function findTag(shapes: readonly Shape[]): Tag | undefined {
  const variants = shapes.flatMap(toVariants);
  const [first, ...others] = variants.map((variant) => resolveShape(variant));
  if (first?.kind !== 'object' || others.length === 0) return undefined;
  for (const { name } of first.fields) {
    const tagged = variants.map((shape) => ({ shape, values: findValues(shape, name) }));
    const all = tagged.flatMap(({ values }) => values);
    const areApart = all.every((value, at) => all.findIndex((other) => isSameJson(other, value)) === at);
    if (areApart && tagged.every(({ values }) => values.length > 0)) return { name, variants: tagged };
  }
  return undefined;
}

/** Branches of a branch that is nothing else are branches. */
function toVariants(shape: Shape): readonly Shape[] {
  return shape.kind === 'union' ? shape.variants.flatMap(toVariants) : [shape];
}

function findValues(shape: Shape, name: string): readonly unknown[] {
  const field = findRequiredField(shape, name);
  const value = field && resolveShape(field);
  return value?.kind === 'literal' ? value.values : [];
}
