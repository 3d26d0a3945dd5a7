import { regexes } from 'zod/v4/core';
import type { JsonSchema } from '../../schema/to-json-schema.ts';

/** The formats by which zod tells what a text has in it: the expression beside them says it, and no format does. */
const checks: ReadonlySet<unknown> = new Set([
  'includes',
  'starts_with',
  'ends_with',
  'lowercase',
  'uppercase',
  'regex',
]);

/**
 * Takes from the schema of a text what a reader does not need: the regular expression by which zod tests a format, since the format says it,
 * and formats that are none. Expressions of the author's own stay.
 */
export function tidyText(json: JsonSchema): void {
  const { format, pattern, allOf } = json;
  if (typeof format !== 'string') return;
  if (checks.has(format)) {
    delete json['format'];
    return;
  }
  if (typeof pattern === 'string' && isOwn(pattern)) delete json['pattern'];
  if (!Array.isArray(allOf)) return;
  const others = (allOf as readonly JsonSchema[]).filter((part) => !isOwnPattern(part));
  const [only] = others;
  delete json['allOf'];
  if (others.length === 1 && only !== undefined && Object.keys(only).join() === 'pattern') Object.assign(json, only);
  else if (others.length > 0) json['allOf'] = others;
}

function isOwnPattern(part: JsonSchema): boolean {
  return Object.keys(part).join() === 'pattern' && isOwn(String(part['pattern']));
}

/** Dates, times and UUIDs are made of parts, so that their expressions are known by how they begin. */
const beginnings = [
  regexes.date.source.slice(0, -1),
  regexes.time({}).source.slice(0, '^(?:[01]\\d|2[0-3])'.length),
  regexes.uuid(4).source.slice(0, '^([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-'.length),
];

const sources: ReadonlySet<string> = new Set(
  Object.values(regexes).flatMap((each) => (each instanceof RegExp ? [each.source] : [])),
);

function isOwn(pattern: string): boolean {
  return sources.has(pattern) || beginnings.some((start) => pattern.startsWith(start));
}
