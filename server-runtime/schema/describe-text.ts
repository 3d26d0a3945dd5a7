import { regexes } from 'zod/v4/core';
import { MARKS, marksOf } from './marks.ts';
import type { Schema } from './schema.ts';
import { definitionOf } from './schema.ts';
import type { JsonSchema } from './to-json-schema.ts';

/**
 * Corrects what zod says of a text: a regular expression with flags, which JSON Schema has not, is said in words; the one by which zod tests a
 * format goes where the format says the same; a format says no more than is taken, and what is none goes.
 */
export function describeText(schema: Schema, json: JsonSchema): void {
  const { format, pattern, allOf = [] } = json as { format?: string; pattern?: string; allOf?: readonly JsonSchema[] };
  const sources = [pattern, ...allOf.map((part) => part['pattern'])].filter((source) => typeof source === 'string');
  const flagged = findFlagged(schema);
  const kept = sources.flatMap((source) => (flagged.has(source) ? [] : toPattern(source, format)));
  const words = sources.flatMap((source) => flagged.get(source) ?? []).map((each) => `Matches ${String(each)}.`);
  delete json['pattern'];
  delete json['allOf'];
  if (kept.length === 1) json['pattern'] = kept[0];
  else if (kept.length > 1) json['allOf'] = kept.map((each) => ({ pattern: each }));
  if (words.length > 0) json[MARKS] = { ...marksOf(json), words: words.join(' ') };
  if (format !== undefined && noFormats.has(format)) delete json['format'];
}

/** The names by which zod tells what a text has in it, and a format that admits less than zod does, which its pattern says as well. */
const noFormats: ReadonlySet<string> = new Set([
  'includes',
  'starts_with',
  'ends_with',
  'lowercase',
  'uppercase',
  'regex',
  'duration',
]);

/** The expressions with flags by which texts are tested, by their sources. `u` is that of JSON Schema itself. */
function findFlagged(schema: Schema): ReadonlyMap<string, RegExp> {
  const { checks = [] } = definitionOf(schema) as { readonly checks?: readonly Schema[] };
  const tests = [schema, ...checks].map((each) => (definitionOf(each) as { readonly pattern?: unknown }).pattern);
  return new Map(
    tests.flatMap((each) =>
      each instanceof RegExp && /[imsv]/.test(each.flags) ? [[each.source, each] as const] : [],
    ),
  );
}

/** The pattern that says what the format beside it does not. */
function toPattern(source: string, format: string | undefined): readonly string[] {
  const known = format === undefined ? undefined : ownPatterns[format];
  if (known === undefined) return [source];
  const shorter = known.get(source);
  return shorter === undefined ? [source] : shorter === '' ? [] : [shorter];
}

/** The part of zod's own expressions that is left to say beside each format. */
const ownPatterns: Readonly<Record<string, ReadonlyMap<string, string>>> = {
  date: toNothing(regexes.date),
  email: toNothing(regexes.email),
  uuid: toNothing(regexes.uuid(), regexes.guid),
  ipv4: toNothing(regexes.ipv4),
  ipv6: toNothing(regexes.ipv6),
  'date-time': new Map(
    [undefined, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9].flatMap((precision) =>
      [false, true].map((offset) => [
        regexes.datetime({ precision: precision ?? null, offset }).source,
        toEnd(precision, offset),
      ]),
    ),
  ),
};

function toNothing(...expressions: readonly RegExp[]): ReadonlyMap<string, string> {
  return new Map(expressions.map(({ source }) => [source, '']));
}

/** The end of a date-time: its fractions of a second, and the zone, which the format leaves open. */
function toEnd(precision: number | undefined, offset: boolean): string {
  const zone = offset ? String.raw`(Z|[+-]\d\d:\d\d)$` : 'Z$';
  if (precision === undefined) return offset ? '' : zone;
  return precision === 0 ? String.raw`:\d\d${zone}` : String.raw`\.\d{${precision}}${zone}`;
}
