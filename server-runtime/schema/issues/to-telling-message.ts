import * as zod from 'zod/v4/core';
import { findSent } from '../received.ts';
import { isZodSchema, type Schema } from '../schema.ts';
import type { Issue } from '../schema-parser.ts';
import { type JsonSchema, toJsonSchema } from '../to-json-schema.ts';

/** Enough of them to see what may be sent. */
const MAX_TOLD = 8;
const MAX_DEPTH = 20;

/** The codes of a value that is wrong though its type is right. */
const ofValues: ReadonlySet<unknown> = new Set(['invalid_format', 'too_small', 'too_big', 'not_multiple_of']);

/**
 * The message of an issue, with the values that are taken at its place where the message does not say: `Invalid input: expected "me" or number`. Of a
 * choice zod tells the fault of the one branch whose type fits, or of none. A message of the application's own is left as it is.
 */
export function toTellingMessage(schema: Schema, issue: Issue, input: unknown): string {
  const { code, message, path, issues = [] } = issue;
  if (!isZodSchema(schema) || !isOfZod(issue)) return message;
  if (code === 'invalid_key') return [message, ...issues.slice(0, 1).map((inner) => inner.message)].join(': ');
  const isBare = code === 'invalid_union' || issue.format === 'template_literal';
  const sent = findSent(input, path);
  if (!isBare && (!ofValues.has(code) || typeof sent === 'object')) return message;
  const branches = findBranches(schema, path);
  const others = branches.filter((json) => isBare || isOfValues(json) || json['type'] !== typeof sent);
  const told = [...new Set(others.flatMap((json) => toWords(json)))].slice(0, MAX_TOLD).join(' or ');
  if (told === '' || (!isBare && branches.length < 2)) return message;
  return `${message}${isBare ? ': expected' : '; otherwise expected'} ${told}`;
}

function isOfZod(issue: Issue): boolean {
  const text = zod.config().localeError?.(issue as zod.$ZodRawIssue);
  return (typeof text === 'string' ? text : text?.message) === issue.message;
}

/** The schemas at a place of an input. */
function findBranches(schema: Schema, path: readonly PropertyKey[]): readonly JsonSchema[] {
  const root = known.get(schema) ?? toJsonSchema(schema, { io: 'input' });
  known.set(schema, root);
  const inside = (found: readonly JsonSchema[], step: PropertyKey): readonly JsonSchema[] =>
    found.flatMap((json) => toInside(json, String(step))).flatMap((json) => toBranches(json, root));
  return path.reduce(inside, toBranches(root, root));
}

const known = new WeakMap<Schema, JsonSchema>();

type Words = JsonSchema & {
  readonly $ref?: string;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
  readonly enum?: readonly unknown[];
  readonly type?: string;
  readonly format?: string;
  readonly pattern?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: JsonSchema | boolean;
  readonly prefixItems?: readonly JsonSchema[];
  readonly items?: JsonSchema | boolean;
};

/** The schemas behind references, choices and intersections. */
function toBranches(json: JsonSchema, root: JsonSchema, depth = 0): readonly JsonSchema[] {
  const { $ref, anyOf, oneOf, allOf } = json as Words;
  if (depth > MAX_DEPTH) return [];
  const inner = $ref === undefined ? (anyOf ?? oneOf ?? allOf) : [findReferred(root, $ref)];
  return inner === undefined ? [json] : inner.flatMap((each) => toBranches(each, root, depth + 1));
}

/** `#`, or `#/$defs/Tree`. */
function findReferred(root: JsonSchema, ref: string): JsonSchema {
  const steps = ref
    .split('/')
    .slice(1)
    .map((step) => decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~'));
  return (steps.reduce<unknown>((json, step) => (json as JsonSchema | undefined)?.[step], root) ?? {}) as JsonSchema;
}

/** The schemas of a field or an item. */
function toInside(json: JsonSchema, step: string): readonly JsonSchema[] {
  const { properties = {}, additionalProperties, prefixItems = [], items } = json as Words;
  const field = Object.hasOwn(properties, step) ? properties[step] : additionalProperties;
  const inside = field ?? prefixItems[Number(step)] ?? items;
  return typeof inside === 'object' ? [inside] : [];
}

function isOfValues(json: JsonSchema): boolean {
  return 'enum' in json || 'const' in json;
}

/** `"me"`, `number`, `string (uuid)`, `object with user: integer`. Nothing of null. */
function toWords(json: JsonSchema, isInside = false): readonly string[] {
  const { enum: values, type, format, pattern, properties = {}, required = [] } = json as Words;
  if (isOfValues(json)) return (values ?? [json['const']]).slice(0, MAX_TOLD).map((each) => JSON.stringify(each));
  if (type === undefined || type === 'null') return [];
  if (type === 'object' && required.length > 0 && !isInside) {
    const toField = (name: string): string => {
      const words = toWords(properties[name] ?? {}, true).join(' or ');
      return words === '' ? name : `${name}: ${words}`;
    };
    return [`object with ${required.slice(0, MAX_TOLD).map(toField).join(', ')}`];
  }
  if (format !== undefined) return [`${type} (${format})`];
  return [pattern === undefined ? type : `${type} matching ${pattern}`];
}
