import * as zod from 'zod/v4/core';
import { describe } from './describe.ts';
import { isObject, type JsonBranch, toChoices, toJsonBranches } from './json-branches.ts';
import { findSent } from './received.ts';
import { isZodSchema, type Schema } from './schema.ts';
import type { Issue } from './schema-parser.ts';
import type { JsonSchema } from './to-json-schema.ts';
import { toSchemaWords } from './to-schema-words.ts';

/** Enough of them to see what may be sent. */
const MAX_TOLD = 8;

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
  const root = describe(schema).input;
  const start = toJsonBranches(root, root);
  const branches = path.reduce((inside, step) => toInsideBranches(inside, String(step), root), start);
  const others = branches.filter(({ json }) => isBare || toChoices(json).length > 0 || json['type'] !== typeof sent);
  const told = [...new Set(others.flatMap(toWords))].slice(0, MAX_TOLD).join(' or ');
  if (told === '' || (!isBare && branches.length < 2)) return message;
  return `${message}${isBare ? ': expected' : '; otherwise expected'} ${told}`;
}

function isOfZod(issue: Issue): boolean {
  const text = zod.config().localeError?.(issue as zod.$ZodRawIssue);
  return (typeof text === 'string' ? text : text?.message) === issue.message;
}

/** The schemas of a field or an item. */
export function toInsideBranches(
  branches: readonly JsonBranch[],
  step: string,
  root: JsonSchema,
): readonly JsonBranch[] {
  return branches.flatMap((branch) => toInside(branch, step)).flatMap((json) => toJsonBranches(json, root));
}

function toInside(branch: JsonBranch, step: string): readonly JsonSchema[] {
  if (isObject(branch)) return [branch.fields.get(step) ?? branch.rest ?? []].flat();
  const { prefixItems = [], items } = branch.json as {
    prefixItems?: readonly JsonSchema[];
    items?: JsonSchema | false;
  };
  return [prefixItems[Number(step)] ?? items].filter((each) => typeof each === 'object');
}

/** `"me"`, `number`, `string (uuid)`, `object with user: integer`. */
function toWords(branch: JsonBranch): readonly string[] {
  if (isObject(branch)) {
    const fields = [...branch.required].map((name) => `${name}: ${toSchemaWords(branch.fields.get(name) ?? {})}`);
    return [fields.length === 0 ? 'object' : `object with ${fields.slice(0, MAX_TOLD).join(', ')}`];
  }
  const { json } = branch;
  const { type, format, pattern } = json;
  if (toChoices(json).length > 0)
    return toChoices(json)
      .slice(0, MAX_TOLD)
      .map((each) => JSON.stringify(each));
  if (branch.kind === 'any') return [];
  if (typeof format === 'string') return [`${String(type)} (${format})`];
  return [typeof pattern === 'string' ? `${String(type)} matching ${pattern}` : String(type)];
}
