import { withoutNull } from './resolve-shape.ts';
import { type Bound, isFile, type NumberShape, type Shape, type StringShape } from './shape.ts';

/** The limits of a value beside its type, in a few words each: `1 to 20 characters`, `matches /^a/`, `unique`. */
export function toConstraints(shape: Shape): readonly string[] {
  switch (shape.kind) {
    case 'string':
      return [
        ...toRange(shape.minLength, shape.maxLength, isFile(shape) ? 'bytes' : 'characters'),
        ...toTellingPatterns(shape).map((pattern) => `matches /${pattern}/`),
        ...(shape.encoding === undefined ? [] : [shape.encoding]),
        ...(isFile(shape) && shape.mediaTypes ? [shape.mediaTypes.join(' or ')] : []),
      ];
    case 'number':
      return toNumberConstraints(shape);
    case 'list': {
      const range = shape.first.length > 0 ? [] : toRange(shape.minItems, shape.maxItems, 'items');
      return [...range, ...(shape.isUnique ? ['unique'] : [])];
    }
    case 'object':
      return toRange(shape.minFields, shape.maxFields, 'fields');
    case 'union': {
      const only = withoutNull(shape);
      return only === shape ? [] : toConstraints(only);
    }
    case 'intersection':
      return shape.parts.flatMap(toConstraints);
    case 'unclear':
      return toConstraints(shape.base);
    case 'reference':
    case 'literal':
    case 'boolean':
    case 'any':
      return [];
  }
}

function toNumberConstraints({ multiples, ...bounds }: NumberShape): readonly string[] {
  const { min, max } = toTellingBounds(bounds);
  const inclusive = (bound: Bound | undefined): number | undefined => (bound?.isExclusive ? undefined : bound?.value);
  return [
    ...toRange(inclusive(min), inclusive(max), ''),
    ...(min?.isExclusive ? [`more than ${min.value}`] : []),
    ...(max?.isExclusive ? [`less than ${max.value}`] : []),
    ...multiples.map((multiple) => `a multiple of ${multiple}`),
  ];
}

/** Without the bounds of safe integers, which zod writes and which say nothing of a field. */
export function toTellingBounds({ min, max }: Pick<NumberShape, 'min' | 'max'>): Pick<NumberShape, 'min' | 'max'> {
  const isTelling = (bound: Bound | undefined): boolean => Math.abs(bound?.value ?? 0) !== Number.MAX_SAFE_INTEGER;
  return { min: isTelling(min) ? min : undefined, max: isTelling(max) ? max : undefined };
}

/** Without the first pattern where that belongs to a format or a value, which say the same in one word. */
export function toTellingPatterns({ patterns, formats, standsFor }: StringShape): readonly string[] {
  return patterns.slice(formats.length === 0 && standsFor === undefined ? 0 : 1);
}

function toRange(least: number | undefined, most: number | undefined, unit: string): readonly string[] {
  const withUnit = (bound: number): string => `${bound} ${bound === 1 ? unit.replace(/s$/, '') : unit}`.trimEnd();
  if (least !== undefined && least === most) return [`exactly ${withUnit(least)}`];
  if (least !== undefined && most !== undefined) return [`${least} to ${withUnit(most)}`];
  if (least !== undefined) return [`at least ${withUnit(least)}`];
  return most === undefined ? [] : [`at most ${withUnit(most)}`];
}
