import { isSameJson } from '../accepts.ts';
import { hasNotes, type LiteralShape, type Shape } from '../shape.ts';

/** Any of several shapes, in as few words as say the same. */
export function toPlainUnion(shapes: readonly Shape[], isExclusive = false): Shape {
  const variants = shapes
    .filter(({ kind }) => kind !== 'never')
    .flatMap((shape) =>
      shape.kind === 'union' && !shape.isExclusive && !isExclusive && !hasNotes(shape) ? shape.variants : [shape],
    );
  const joined = joinLiterals(variants, isExclusive) ?? variants;
  const [only, ...others] = joined.filter(
    ({ kind }, index) => isExclusive || kind !== 'null' || joined.findIndex((each) => each.kind === 'null') === index,
  );
  if (only === undefined) return { kind: 'never' };
  return others.length === 0 ? only : { kind: 'union', variants: [only, ...others], isExclusive };
}

/** Literals alone are one list of them. */
function joinLiterals(variants: readonly Shape[], isExclusive: boolean): readonly Shape[] | undefined {
  const literals = variants.filter((shape): shape is LiteralShape => shape.kind === 'literal' && !hasNotes(shape));
  const others = variants.filter(({ kind }) => kind === 'null');
  if (literals.length < 2 || literals.length + others.length < variants.length) return undefined;
  const values = literals.flatMap((shape) => shape.values);
  const different = values.filter((value, index) => values.findIndex((each) => isSameJson(each, value)) === index);
  if (isExclusive && different.length < values.length) return undefined;
  return [{ kind: 'literal', values: different }, ...others];
}
