import fc from 'fast-check';
import { resolveShape } from '../../shape/resolve-shape.ts';
import type { NumberShape, ObjectShape, Shape, StringShape } from '../../shape/shape.ts';
import { toRegExp } from '../../shape/to-reg-exp.ts';

type Json = fc.Arbitrary<unknown>;

/** Inputs of a shape as callers send them: those that look as if they fit, and some in which one thing does not. */
export function toArbitrary(shape: Shape): Json {
  const fitting = toFitting(shape, 0);
  const bent = fc
    .tuple(fitting, fc.nat(), fc.jsonValue({ maxDepth: 1 }))
    .map(([value, at, other]) => bend(value, at, other));
  return fc.oneof({ weight: 3, arbitrary: fitting }, { weight: 2, arbitrary: bent });
}

/** One field of an object is something else, or missing. */
function bend(value: unknown, at: number, other: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return { value: other };
  const names = Object.keys(value);
  const name = names[at % Math.max(1, names.length)] ?? 'other';
  const { [name]: _, ...rest } = value as Readonly<Record<string, unknown>>;
  return at % 3 === 0 ? rest : { ...rest, [name]: other };
}

const MAX_DEPTH = 5;

function toFitting(given: Shape, depth: number): Json {
  const shape = resolveShape(given);
  if (depth > MAX_DEPTH) return fc.constant(null);
  const inside = (part: Shape): Json => toFitting(part, depth + 1);
  switch (shape.kind) {
    case 'literal':
      return fc.constantFrom(...shape.values);
    case 'string':
      return toText(shape);
    case 'number':
      return toNumber(shape);
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array': {
      const least = shape.minItems ?? 0;
      const most = Math.max(least, Math.min(shape.maxItems ?? Number.POSITIVE_INFINITY, least + 4));
      return fc.array(inside(shape.items()), { minLength: least, maxLength: most });
    }
    case 'tuple':
      return fc.tuple(...shape.items.map((item) => inside(item())));
    case 'object':
      return toObject(shape, inside);
    case 'record':
      return fc.dictionary(fc.string({ maxLength: 8 }), inside(shape.values()), { maxKeys: 4, noNullPrototype: true });
    case 'union':
      return fc.oneof(...shape.variants.map(inside));
    case 'tagged union':
      return fc.oneof(...shape.variants.map((variant) => inside(variant.shape)));
    case 'intersection':
      return fc
        .tuple(...shape.parts.map(inside))
        .map((parts) => Object.assign({}, ...parts.map((part) => Object(part) as object)) as unknown);
    case 'other':
      return inside(shape.base);
    case 'foreign':
      return shape.type === 'date'
        ? fc.date({ noInvalidDate: true }).map((date) => date.toISOString())
        : fc.jsonValue({ maxDepth: 1 });
    case 'file':
    case 'any':
    case 'never':
      return fc.jsonValue({ maxDepth: 2 });
  }
}

function toObject({ fields }: ObjectShape, inside: (part: Shape) => Json): Json {
  const values = Object.fromEntries(fields.map(({ name, shape }) => [name, inside(shape())]));
  const requiredKeys = fields.filter(({ isRequired }) => isRequired).map(({ name }) => name);
  return fc.record(values, { requiredKeys, noNullPrototype: true });
}

/** One of several restrictions is kept: a text that does not fit the others is a misfit. */
function toText({ minLength = 0, maxLength, formats, patterns }: StringShape): Json {
  const format = formats.map((name) => byFormat[name]).find((known) => known !== undefined);
  if (format !== undefined) return format();
  const [pattern] = patterns.flatMap((text) => toRegExp(text) ?? []);
  if (pattern !== undefined) return toMatching(pattern);
  const most = Math.min(maxLength ?? Number.POSITIVE_INFINITY, minLength + 24);
  return fc.string({ minLength, maxLength: Math.max(minLength, most), unit: 'grapheme' });
}

const byFormat: Readonly<Record<string, () => Json>> = {
  email: () =>
    fc
      .tuple(fc.stringMatching(/^[a-z]{1,8}$/), fc.stringMatching(/^[a-z]{1,8}\.(org|com)$/))
      .map((parts) => parts.join('@')),
  uuid: () => fc.uuid(),
  uri: () => fc.webUrl(),
  'date-time': () => toDate().map((date) => date.toISOString()),
  date: () => toDate().map((date) => date.toISOString().slice(0, 10)),
  ipv4: () => fc.ipV4(),
  ipv6: () => fc.ipV6(),
};

function toDate(): fc.Arbitrary<Date> {
  return fc.date({ min: new Date('1970-01-01'), max: new Date('2100-01-01'), noInvalidDate: true });
}

/** Expressions that look around cannot be generated from. */
function toMatching(pattern: RegExp): Json {
  try {
    return fc.stringMatching(pattern);
  } catch {
    return fc.string({ maxLength: 24 });
  }
}

function toNumber({ isInteger, min, max, multiples }: NumberShape): Json {
  const least = min?.value ?? Number.MIN_SAFE_INTEGER;
  const most = max?.value ?? Number.MAX_SAFE_INTEGER;
  if (least > most) return fc.constant(least);
  const [step] = multiples;
  if (isInteger || step !== undefined) {
    const whole = fc.integer({ min: Math.ceil(least), max: Math.max(Math.ceil(least), Math.floor(most)) });
    return step === undefined ? whole : whole.map((count) => Math.trunc(count / step) * step);
  }
  return fc.double({ min: least, max: most, noNaN: true, noDefaultInfinity: true });
}
