import * as zod from 'zod/v4/core';
import { findNearest } from '../errors/expect-options.ts';
import { describe } from './describe.ts';
import type { JsonSchema } from './json-schema.ts';
import type { Lens } from './lens.ts';
import { isObject, type JsonBranch, toChoices, toOneObject } from './lens.ts';
import { findSent } from './received.ts';
import type { Schema } from './schema.ts';
import { isZodSchema } from './schema.ts';
import type { Issue } from './schema-parser.ts';

/** Enough of them to see what may be sent. */
const MAX_TOLD = 8;

/** The codes of a value that is wrong though its type is right. */
const ofValues: ReadonlySet<unknown> = new Set(['invalid_format', 'too_small', 'too_big', 'not_multiple_of']);

/**
 * The message of an issue, with the values that are taken at its place where the message does not say:
 * `Invalid input: expected "me" or number`. Of a choice zod tells the fault of the one branch whose type fits, or of
 * none. A message of the application's own is left as it is.
 */
export function toTellingMessage(schema: Schema, issue: Issue, input: unknown): string {
  const { code, message, path, issues = [] } = issue;
  if (!isZodSchema(schema)) return message;
  if (code === 'invalid_key' && isOfZod(issue))
    return [message, ...issues.slice(0, 1).map((inner) => inner.message)].join(': ');
  const isBare = code === 'invalid_union' || issue.format === 'template_literal';
  const sent = findSent(input, path);
  if (!isBare && (!ofValues.has(code) || typeof sent === 'object')) return message;
  const branches =
    path.reduce((lens, step) => lens?.inside(String(step)), describe(schema).lens as Lens | undefined)?.branches ?? [];
  if (!isBare && branches.length < 2) return message;
  const others = branches.filter(({ json }) => isBare || toChoices(json).length > 0 || json['type'] !== typeof sent);
  const told = [...new Set(others.flatMap(toWords))].slice(0, MAX_TOLD).join(' or ');
  if (told === '' || !isOfZod(issue)) return message;
  return `${message}${isBare ? ': expected' : '; otherwise expected'} ${told}`;
}

function isOfZod(issue: Issue): boolean {
  const text = zod.config().localeError?.(issue as zod.$ZodRawIssue);
  return (typeof text === 'string' ? text : text?.message) === issue.message;
}

/** `"me"`, `number`, `string (uuid)`, `object with user: integer`. */
function toWords(branch: JsonBranch): readonly string[] {
  const { kind, json, fields, required } = branch;
  if (isObject(branch)) {
    const named = [...required].slice(0, MAX_TOLD).map((name) => `${name}: ${toSchemaWords(fields.get(name) ?? {})}`);
    return [named.length === 0 ? 'object' : `object with ${named.join(', ')}`];
  }
  const { type, format, pattern } = json;
  if (toChoices(json).length > 0) return toChoices(json).map((each) => JSON.stringify(each));
  if (kind === 'any') return [];
  if (typeof format === 'string') return [`${String(type)} (${format})`];
  return [typeof pattern === 'string' ? `${String(type)} matching ${pattern}` : String(type)];
}

/** The kind of value that a JSON Schema asks for, in a few words: `string`, `"a" or "b"`, `list of integer`. */
export function toSchemaWords(schema: JsonSchema): string {
  const { type, format, $ref, items, anyOf, oneOf } = schema;
  const choices = toChoices(schema);
  if (choices.length > 0) return toOr(choices.map((each) => JSON.stringify(each)));
  const branches = anyOf ?? oneOf;
  if (Array.isArray(branches)) return toOr(branches.map((branch: JsonSchema) => toSchemaWords(branch)));
  if (typeof $ref === 'string') return $ref.split('/').at(-1) ?? 'value';
  if (Array.isArray(type)) return toOr(type as readonly string[]);
  if (type === 'array') return typeof items === 'object' ? `list of ${toSchemaWords(items as JsonSchema)}` : 'list';
  if (typeof format === 'string') return format;
  return typeof type === 'string' ? type : 'any value';
}

function toOr(words: readonly string[]): string {
  return [...new Set(words)].slice(0, MAX_TOLD).join(' or ');
}

/** A field that was sent and that a schema does not have. */
export interface UnknownKey {
  /** The place of the object that it is in. */
  readonly parent: readonly string[];
  readonly key: string;
  /** `Did you mean email?`, or else the names that there are. */
  readonly advice: string;
  /** The number of names that there are. */
  readonly names: number;
}

/** A caller can send any number of them; these are enough to see what is wrong. */
const MAX_KEYS = 5;
const MAX_DEPTH = 20;
/** Items of a list that are looked at. */
const MAX_ITEMS = 20;
const MAX_NAMES = 20;

/**
 * The fields of an input that no branch of its schema has, the first few of them. Objects that take any field have
 * none. For those who tell a caller of a misspelt name: a schema drops such fields without a word.
 */
export function findUnknownKeys(schema: Schema | undefined, input: unknown): readonly UnknownKey[] {
  const found: UnknownKey[] = [];
  if (schema !== undefined) look(describe(schema).lens, input, []);
  return found;

  function look(lens: Lens | undefined, value: unknown, parent: readonly string[]): void {
    if (lens === undefined || typeof value !== 'object' || value === null || parent.length > MAX_DEPTH) return;
    const objects = lens.branches.filter(isObject);
    const isOpen = Array.isArray(value) || objects.length === 0 || lens.branches.some(takesAnyField);
    if (isOpen && !Array.isArray(value)) return;
    const names = [...toOneObject(objects).fields.keys()];
    for (const [key, inner] of Object.entries(Array.isArray(value) ? value.slice(0, MAX_ITEMS) : value)) {
      if (found.length >= MAX_KEYS) return;
      if (isOpen || lens.has(key)) look(lens.inside(key), inner, [...parent, key]);
      else found.push({ parent, key, advice: toKeyAdvice(key, names), names: names.length });
    }
  }
}

function takesAnyField({ kind, json, isRaw }: JsonBranch): boolean {
  if (isRaw || kind === 'any') return true;
  return kind === 'object' && (json['additionalProperties'] ?? false) !== false;
}

/** `Did you mean email?`, `The fields are id and name.` */
function toKeyAdvice(key: string, names: readonly string[]): string {
  const nearest = findNearest(key, names);
  if (nearest !== undefined) return `Did you mean ${nearest}?`;
  if (names.length === 0) return 'There are no fields.';
  const shown = names.slice(0, MAX_NAMES).join(', ');
  return `The fields are ${shown}${names.length > MAX_NAMES ? ' and more' : ''}.`;
}
