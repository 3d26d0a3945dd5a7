import { regexes } from 'zod/v4/core';
import { MARKS, marksOf } from './marks.ts';
import { definitionOf, type Schema, type SchemaDefinition } from './schema.ts';
import type { JsonSchema } from './to-json-schema.ts';

/**
 * Corrects what zod says of a text: a regular expression with flags, which JSON Schema has not, is said in words; the
 * one by which zod tests a format goes where the format says the same; a format says no more than is taken, and what is
 * none goes.
 */
export function describeText(schema: Schema, json: JsonSchema): void {
  const { format, pattern, allOf = [] } = json as { format?: string; pattern?: string; allOf?: readonly JsonSchema[] };
  const sources = [pattern, ...allOf.map((part) => part['pattern'])].filter((source) => typeof source === 'string');
  const { checks = [] } = definitionOf(schema);
  const tests = new Map([schema, ...checks].map(definitionOf).map((test) => [toExpression(test)?.source, test]));
  const isFlagged = (source: string): boolean => /[imsv]/.test(toExpression(tests.get(source))?.flags ?? '');
  const words = sources.filter(isFlagged).map((source) => `Matches ${String(tests.get(source)?.pattern)}.`);
  const kept = sources
    .filter((source) => !isFlagged(source))
    .map((source) => (format === undefined ? source : toRest(source, tests.get(source))))
    .filter((source) => source !== '');
  delete json['pattern'];
  delete json['allOf'];
  if (kept.length === 1) json['pattern'] = kept[0];
  else if (kept.length > 1) json['allOf'] = kept.map((each) => ({ pattern: each }));
  if (words.length > 0) json[MARKS] = { ...marksOf(json), words: words.join(' ') };
  if (format !== undefined && noFormats.has(format)) delete json['format'];
}

/** The names by which zod tells what a text has in it, and a format that admits less than zod does. */
const noFormats: ReadonlySet<unknown> = new Set(
  'includes starts_with ends_with lowercase uppercase regex duration'.split(' '),
);

function toExpression({ pattern }: Partial<SchemaDefinition> = {}): RegExp | undefined {
  return pattern instanceof RegExp ? pattern : undefined;
}

/** The formats that say all that the expressions of zod do. */
const whole: ReadonlySet<string> = new Set(
  [regexes.date, regexes.email, regexes.uuid(), regexes.guid, regexes.ipv4, regexes.ipv6].map(({ source }) => source),
);

/** The part of an expression that the format beside it does not say: of a date-time its fractions and its zone. */
function toRest(
  source: string,
  { format, precision, offset = false, local = false }: Partial<SchemaDefinition> = {},
): string {
  if (whole.has(source)) return '';
  const isOwn = format === 'datetime' && !local && (precision ?? 0) >= 0;
  if (!isOwn || source !== regexes.datetime({ precision: precision ?? null, offset }).source) return source;
  const zone = offset ? String.raw`(Z|[+-]\d\d:\d\d)$` : 'Z$';
  if (precision === undefined || precision === null) return offset ? '' : zone;
  return precision === 0 ? String.raw`:\d\d${zone}` : String.raw`\.\d{${precision}}${zone}`;
}
