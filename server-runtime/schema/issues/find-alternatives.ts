import * as zod from 'zod/v4/core';
import { findSent } from '../find-sent.ts';
import { type DeepDefinition, toInnerSchemas } from '../inner-schemas.ts';
import { definitionOf, isZodSchema, type Schema } from '../schema.ts';
import type { Issue } from '../schema-parser.ts';
import { toBranches } from './to-branches.ts';

/** Enough of them to see what may be sent. */
const MAX_TOLD = 8;

/**
 * The other values that a union takes at the place of an issue, as a reader would write them: `"me"`, `number`. zod tells the fault of the one branch
 * whose type fits, `Invalid email address`, and is silent about the others. None for a message of the application's own.
 */
export function findAlternatives(schema: Schema, issue: Issue, input: unknown): readonly string[] {
  if (!isOfValue(issue) || !isZodSchema(schema) || !hasUnion(schema)) return [];
  const sent = findSent(input, issue.path);
  if (typeof sent === 'object') return [];
  if (zod.config().localeError?.(issue as unknown as zod.$ZodRawIssue) !== issue.message) return [];
  const branches = issue.path.reduce(toInside, toBranches(schema));
  const told = branches.length < 2 ? [] : branches.flatMap((branch) => toTold(branch, typeof sent));
  return [...new Set(told)].slice(0, MAX_TOLD);
}

/** Whether it says that a value is wrong whose type is right. */
function isOfValue({ code }: Issue): boolean {
  return code === 'invalid_format' || code === 'too_small' || code === 'too_big' || code === 'not_multiple_of';
}

const known = new WeakMap<Schema, boolean>();

/** Whether there is a union somewhere in it; looked for once. */
function hasUnion(schema: Schema): boolean {
  const before = known.get(schema);
  if (before !== undefined) return before;
  const has = holdsUnion(schema, new Set());
  known.set(schema, has);
  return has;
}

function holdsUnion(schema: Schema, seen: Set<Schema>): boolean {
  if (seen.has(schema)) return false;
  seen.add(schema);
  const definition = definitionOf(schema) as DeepDefinition;
  return definition.type === 'union' || toInnerSchemas(definition).some((inner) => holdsUnion(inner, seen));
}

/** The schemas of a field or an item. */
function toInside(branches: readonly Schema[], step: PropertyKey): readonly Schema[] {
  return branches.flatMap((branch) => {
    const { shape, element, valueType, items, rest, catchall } = definitionOf(branch) as DeepDefinition;
    const name = String(step);
    const field = shape !== undefined && Object.hasOwn(shape, name) ? shape[name] : catchall;
    const inside = field ?? element ?? valueType ?? items?.[Number(step)] ?? rest ?? undefined;
    return inside === undefined ? [] : toBranches(inside);
  });
}

const scalars: ReadonlySet<string> = new Set(['number', 'boolean', 'object', 'array', 'string']);

/** `"me"`, `number`. Nothing for the type that was sent, whose fault is told, and for what has no word of its own. */
function toTold(branch: Schema, sentType: string): readonly string[] {
  const { type, values, entries } = definitionOf(branch);
  if (type === 'literal') return (values ?? []).map((value) => JSON.stringify(value) ?? String(value));
  if (type === 'enum') return Object.values(entries ?? {}).map((value) => JSON.stringify(value));
  return scalars.has(type) && type !== sentType ? [type] : [];
}
