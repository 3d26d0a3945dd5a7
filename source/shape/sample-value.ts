import { resolveShape } from './resolve-shape.ts';
import { isNull, type NumberShape, type Shape, type StringShape } from './shape.ts';
import { toTellingBounds } from './to-constraints.ts';

/** A sample goes this deep into objects, arrays and references. */
const MAX_DEPTH = 4;

/** A value that looks like what a shape asks for: required fields, defaults, examples. Not every limit is kept. */
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
    case 'number':
      return toSampleNumber(shape);
    case 'boolean':
      return true;
    case 'list':
      return shape.first.length === 0
        ? [inside(shape.rest())].filter((item) => item !== undefined)
        : shape.first.slice(0, shape.minItems ?? 0).map((item) => inside(item()) ?? null);
    case 'object':
      return Object.fromEntries(
        shape.fields.filter(({ isRequired }) => isRequired).map((field) => [field.name, inside(field.shape())]),
      );
    case 'union':
      return inside(shape.variants.find((variant) => !isNull(variant)) ?? { kind: 'any' });
    case 'intersection': {
      const whole = resolveShape(shape);
      return whole === shape ? inside(shape.parts[0] ?? { kind: 'any' }) : inside(whole);
    }
    case 'reference':
      return inside(shape.target());
    case 'unclear':
      return inside(shape.base);
    case 'any':
      return valueSamples[shape.type ?? ''];
  }
}

function toSampleText({ formats, standsFor }: StringShape): string {
  return samples[formats[0] ?? ''] ?? valueSamples[standsFor ?? ''] ?? 'text';
}

const samples: Readonly<Record<string, string>> = {
  email: 'ada@example.com',
  uuid: '00000000-0000-4000-8000-000000000000',
  uri: 'https://example.com',
  'date-time': '2026-01-31T12:00:00Z',
  date: '2026-01-31',
};

/** The text of what JSON has no word for. */
const valueSamples: Readonly<Record<string, string>> = { date: '2026-01-31T12:00:00Z', bigint: '1' };

function toSampleNumber(shape: NumberShape): number {
  const { min } = toTellingBounds(shape);
  if (min === undefined) return 1;
  return min.isExclusive ? min.value + 1 : min.value;
}
