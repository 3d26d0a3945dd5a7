import { once } from '../once.ts';
import type { LazyShape, ObjectShape, RecordShape, Shape } from '../shape.ts';
import { toRegExp } from '../to-reg-exp.ts';
import { toGreatest, toLeast } from './to-greatest.ts';

type Merge = (a: Shape, b: Shape) => Shape;

/** An object with the fields of both; undefined where what one says of other fields cannot be said beside the patterns of the other. */
export function mergeObjects(
  first: ObjectShape | RecordShape,
  second: ObjectShape | RecordShape,
  mergeShapes: Merge,
): ObjectShape | undefined {
  const [a, b] = [toObject(first), toObject(second)];
  if (clash(a, b) || clash(b, a)) return undefined;
  const merge = (one: LazyShape | undefined, other: LazyShape | undefined): LazyShape | undefined =>
    one === undefined || other === undefined ? (one ?? other) : once(() => mergeShapes(one(), other()));
  const names = [...new Set([...a.fields, ...b.fields].map(({ name }) => name))];
  return {
    kind: 'object',
    admitsOthers: a.admitsOthers && b.admitsOthers,
    fields: names.map((name) => ({
      name,
      isRequired: [...a.fields, ...b.fields].some((field) => field.name === name && field.isRequired),
      shape: merge(findField(a, name), findField(b, name)) ?? toAny,
    })),
    patterns: [...a.patterns, ...b.patterns],
    additional: merge(a.additional, b.additional),
    names: merge(a.names, b.names),
    minFields: toGreatest(a.minFields, b.minFields),
    maxFields: toLeast(a.maxFields, b.maxFields),
  };
}

/** Whether fields that match a pattern of one are other fields to the other one, which says something of those. */
function clash({ patterns }: ObjectShape, { additional }: ObjectShape): boolean {
  return patterns.length > 0 && additional !== undefined && additional().kind !== 'any';
}

/** The shape of a field by name, or as one of all others; its patterns go on beside it. */
function findField({ fields, patterns, additional }: ObjectShape, wanted: string): LazyShape | undefined {
  const field = fields.find(({ name }) => name === wanted);
  if (field !== undefined) return field.shape;
  return patterns.some(({ pattern }) => toRegExp(pattern)?.test(wanted)) ? undefined : additional;
}

/** A record as an object that names only the keys which must be there. */
export function toObject(shape: ObjectShape | RecordShape): ObjectShape {
  if (shape.kind === 'object') return shape;
  const { keys, values, isExhaustive, ...limits } = shape;
  const key = keys();
  const fields = isExhaustive && key.kind === 'literal' ? key.values : [];
  return {
    ...limits,
    kind: 'object',
    fields: fields.map((name) => ({ name: String(name), isRequired: true, shape: values })),
    patterns: [],
    additional: values,
    names: keys,
  };
}

function toAny(): Shape {
  return { kind: 'any' };
}
