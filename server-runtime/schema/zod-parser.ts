/**
 * Runs a schema of zod by its inner `run`, around which zod builds `safeParse`. A caller can send faults by the hundred
 * thousand in one body, and `safeParse` would write a text for each of them.
 *
 * These members of zod are needed beside its public ones; `zod-parser.test.ts` has a test for each:
 *
 * - `schema._zod.run(payload, context)` puts its result and its issues into the payload, `{ value, issues }`, and hands
 *   its context on to the schemas inside. With `async: false` in the context it gives no promise.
 * - `schema._zod.run` can be replaced: a schema calls the present one of a list, a record or a tuple inside of it.
 * - `schema._zod.def` has the type of a schema, and all schemas and functions inside of it.
 * - A list, a record and a tuple add issues to a payload by `issues.push(…)`.
 * - A raw issue has the schema that it comes from, `inst`, and `util.finalizeIssue` writes its text: that of
 *   `_zod.def.error`, else of `customError`, else of `localeError` of `config()`.
 * - Checks of a schema do not run after an issue without `continue: true`.
 */
import * as zod from 'zod/v4/core';
import { andThen } from '../errors/maybe-promise.ts';
import { type Issue, MAX_ISSUES, type ParseResult, type ParseSchema } from './issues.ts';
import { isOfOurZod } from './schema.ts';

export function createZodParser(schema: zod.$ZodType): ParseSchema {
  const parts = toParts(schema);
  // Whether code returns a promise shows only when it runs, and a run that is abandoned leaves the promise behind.
  const holdsCode = [...parts].some((part) => typeof part === 'function');
  for (const part of parts) boundList(part);
  // A compiled schema is several times as fast, but would run code twice for invalid input. zod compiles from 4.6 on.
  const isCompiled = !holdsCode && isOfOurZod(schema) && 'compile' in zod;
  const { run } = (isCompiled ? zod.compile(schema) : schema)._zod;
  return (input) => {
    // Each run has a context of its own: zod notes there what it has parsed, and that a compiled schema has failed.
    const context = { async: holdsCode, [BOUNDED]: true };
    return andThen(run({ value: input, issues: [] }, context), toParseResult);
  };
}

/** Whether a second run gives the same as the first: the schema contains no code, and no default that is computed. */
export function isRepeatable(schema: zod.$ZodType): boolean {
  return ![...toParts(schema)].some(
    (part) => typeof part === 'function' || /^(default|prefault|catch)$/.test(typeOf(part)),
  );
}

function toParseResult({ value, issues }: zod.ParsePayload): ParseResult {
  if (issues.length === 0) return { ok: true, value };
  const first = issues.slice(0, MAX_ISSUES).map(finishIssue);
  const count = issues.reduce((sum, issue) => sum + countOf(issue), 0);
  return { ok: false, issues: first, omitted: count - first.length };
}

/** Gives an issue its text. Where the locale alone has a say in that, the copy of zod takes longer than the fault. */
function finishIssue(issue: zod.$ZodRawIssue & { schema?: zod.$ZodType | undefined }): Issue {
  const { customError, localeError } = zod.config();
  issue.schema ??= issue.inst as zod.$ZodType | undefined;
  const isOwn =
    issue.message || customError || issue.inst?._zod.def.error || issue.schema?._zod.def.error;
  const text = isOwn ? undefined : localeError?.(issue);
  if (typeof text !== 'string') return zod.util.finalizeIssue(issue, undefined, zod.config());
  return Object.assign(issue, { path: issue.path ?? [], message: text });
}

/** A schema and all functions and objects that its definition holds, at every depth. */
function toParts(part: unknown, found = new Set<unknown>()): ReadonlySet<unknown> {
  if ((typeof part !== 'object' && typeof part !== 'function') || part === null || found.has(part))
    return found;
  found.add(part);
  const definition = ((part as Partial<zod.$ZodType>)._zod?.def ?? part) as Readonly<
    Record<string, unknown>
  >;
  // Not by their values: that of a default asks the application for one.
  for (const name of Object.keys(definition).filter((each) => !quietParts.test(each)))
    toParts(name === 'getter' ? (definition[name] as () => unknown)() : definition[name], found);
  return found;
}

/** Parts with values or code of zod's own. */
const quietParts = /^(error|when|defaultValue|catchValue|values|entries|pattern|tx|_cachedInner)$/;

function typeOf(part: unknown): string {
  return (part as Partial<zod.$ZodType>)._zod?.def?.type ?? '';
}

/** Lets a list or a record keep the issues of its first wrong items, in our runs alone. */
function boundList(part: unknown): void {
  const inner = (part as Partial<zod.$ZodType>)._zod;
  if (inner === undefined || bounded.has(inner) || !/^(array|record|tuple)$/.test(typeOf(part)))
    return;
  bounded.add(inner);
  const { run } = inner;
  inner.run = (payload, context) => {
    if (BOUNDED in context) Object.assign(payload.issues, { push: pushFirst });
    return run(payload, context);
  };
}

/** In the context of our own runs: an application that parses with the same schema gets all issues. */
const BOUNDED = Symbol('capix.bounded');
const bounded = new WeakSet<object>();

/** Keeps the first {@link MAX_ISSUES} issues; the last one of them counts the others. */
function pushFirst(this: zod.$ZodRawIssue[], ...issues: readonly zod.$ZodRawIssue[]): number {
  for (const issue of issues) {
    const last = this[MAX_ISSUES - 1];
    if (last === undefined) this[this.length] = issue;
    else {
      // An issue that ends a parse still does, so that code of the application never gets the list.
      const isGoingOn = last.continue === true && issue.continue === true;
      Object.assign(last, { omitted: countOf(last) - 1 + countOf(issue), continue: isGoingOn });
    }
  }
  return this.length;
}

function countOf(issue: zod.$ZodRawIssue): number {
  return 1 + Number(issue['omitted'] ?? 0);
}
