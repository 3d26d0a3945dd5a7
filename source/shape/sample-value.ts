import { resolveShape } from './resolve-shape.ts';
import type { NumberShape, Shape, StringShape } from './shape.ts';
import { toTellingBounds } from './to-constraints.ts';

/** A sample goes this deep into objects, arrays and references. */
const MAX_DEPTH = 4;

/** A value that looks like what a shape asks for: required fields, defaults, examples, the first of several. Not every limit is kept. */
export function toSampleValue(shape: Shape, depth = 0): unknown {
  if (depth > MAX_DEPTH) return undefined;
  if (shape.default !== undefined) return shape.default;
  if (shape.examples?.[0] !== undefined) return shape.examples[0];
  const inside = (part: Shape): unknown => toSampleValue(part, depth + 1);
  switch (shape.kind) {
    case 'literal':
      return shape.values[0];
    case 'string':
      return toSampleText(shape);
    case 'file':
      return 'text';
    case 'number':
      return toSampleNumber(shape);
    case 'boolean':
      return true;
    case 'null':
      return null;
    case 'array':
      return [inside(shape.items())].filter((item) => item !== undefined);
    case 'tuple':
      return shape.items.slice(0, shape.minItems ?? 0).map((item) => inside(item()) ?? null);
    case 'object':
      return toObject(
        shape.fields.filter(({ isRequired }) => isRequired).map((field) => [field.name, inside(field.shape())]),
      );
    case 'record': {
      const keys = shape.keys();
      const needed = shape.isExhaustive && keys.kind === 'literal' ? keys.values : [];
      return toObject(needed.map((key) => [String(key), inside(shape.values())]));
    }
    case 'union':
      return inside(shape.variants.find(({ kind }) => kind !== 'null') ?? { kind: 'null' });
    case 'tagged union':
      return inside(shape.variants[0]?.shape ?? { kind: 'any' });
    case 'intersection': {
      const whole = resolveShape(shape);
      return whole === shape ? inside(shape.parts[0] ?? { kind: 'any' }) : inside(whole);
    }
    case 'reference':
      return inside(shape.target());
    case 'other':
      return inside(shape.base);
    case 'foreign':
      return foreignSamples[shape.type];
    case 'any':
    case 'never':
      return undefined;
  }
}

function toObject(fields: readonly (readonly [string, unknown])[]): object {
  return Object.fromEntries(fields);
}

function toSampleText({ formats, standsFor }: StringShape): string {
  return samples[formats[0] ?? ''] ?? foreignSamples[standsFor ?? ''] ?? 'text';
}

const samples: Readonly<Record<string, string>> = {
  email: 'ada@example.com',
  uuid: '00000000-0000-4000-8000-000000000000',
  uri: 'https://example.com',
  'date-time': '2026-01-31T12:00:00Z',
  date: '2026-01-31',
};

/** The text of what JSON has no word for. */
const foreignSamples: Readonly<Record<string, string>> = { date: '2026-01-31T12:00:00Z', bigint: '1' };

function toSampleNumber(shape: NumberShape): number {
  const { min } = toTellingBounds(shape);
  if (min === undefined) return 1;
  return min.isExclusive ? min.value + 1 : min.value;
}
