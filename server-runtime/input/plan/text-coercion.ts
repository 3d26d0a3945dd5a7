import { definitionOf, type Schema } from '../../schema/schema.ts';

/** Turns the text of one value into what the schema expects; text that does not parse cleanly is given back. */
export type CoerceText = (text: string) => unknown;

/** The reading that all branches of a union leave a text: beside `z.string()` a number stays text, beside `z.literal('auto')` it does not. */
export function toTextCoercion(branches: readonly Schema[]): CoerceText {
  const readings = branches.flatMap(toReadings);
  if (readings.includes('text')) return asText;
  const takesNumber = readings.includes('number');
  const takesBoolean = readings.includes('boolean');
  if (!takesNumber && !takesBoolean) return asText;
  const words = new Set(readings.flatMap((reading) => (typeof reading === 'object' ? [reading.word] : [])));
  if (words.size === 0 && !takesBoolean) return toNumber;
  if (words.size === 0 && !takesNumber) return toBoolean;
  return (text) => {
    if (words.has(text)) return text;
    const value = takesBoolean ? toBoolean(text) : text;
    return takesNumber && value === text ? toNumber(text) : value;
  };
}

/** A text as one branch takes it: as a number, a boolean, one word as it is, or any text. */
type Reading = 'number' | 'boolean' | 'text' | { readonly word: string };

const asText: CoerceText = (text) => text;

function toReadings(branch: Schema): readonly Reading[] {
  const { type, values = [], entries = {} } = definitionOf(branch);
  switch (type) {
    case 'number':
    case 'boolean':
      return [type];
    case 'literal':
      return values.flatMap(toReading);
    case 'enum':
      return toEnumValues(entries).flatMap(toReading);
    case 'never':
      return [];
    default:
      return ['text'];
  }
}

function toReading(value: unknown): readonly Reading[] {
  if (value === null || value === undefined) return [];
  const type = typeof value;
  return [type === 'number' || type === 'boolean' ? type : type === 'string' ? { word: value as string } : 'text'];
}

/** TypeScript gives a numeric enum its names as values too, for the way back. */
export function toEnumValues(entries: Readonly<Record<string, string | number>>): readonly (string | number)[] {
  const backwards = new Set(
    Object.values(entries)
      .filter((value) => typeof value === 'number')
      .map(String),
  );
  return Object.entries(entries).flatMap(([name, value]) => (backwards.has(name) ? [] : [value]));
}

const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;

function toNumber(text: string): unknown {
  if (!DECIMAL.test(text)) return text;
  const number = Number(text);
  return Number.isFinite(number) ? number : text;
}

function toBoolean(text: string): unknown {
  return text === 'true' ? true : text === 'false' ? false : text;
}
