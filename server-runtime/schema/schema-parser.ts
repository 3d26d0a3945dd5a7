import * as zod from 'zod/v4/core';
import { andThen, type MaybePromise, type Outcome } from '../errors/failure.ts';
import { findSent } from './received.ts';
import { isOfOurZod, isZodSchema, type Schema, type StandardIssue, type StandardSchema } from './schema.ts';

export interface Issue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly code?: string | undefined;
  /** The issues of a key of a record, and of each branch of a choice. */
  readonly issues?: readonly Issue[] | undefined;
  readonly errors?: readonly (readonly Issue[])[] | undefined;
  /** The name of a format, and the expression by which it is tested. */
  readonly format?: string | undefined;
  readonly pattern?: string | undefined;
  /** The fields that were sent to an object that takes no others. */
  readonly keys?: readonly string[] | undefined;
}

/** No more than the first {@link MAX_ISSUES} issues, and the number of the others. */
export type ParseResult =
  | Extract<Outcome, { readonly ok: true }>
  | { readonly ok: false; readonly issues: readonly Issue[]; readonly omitted: number };

/** A caller can send faults by the hundred thousand in one body. */
const MAX_ISSUES = 50;

export type ParseSchema = (input: unknown) => MaybePromise<ParseResult>;

export function createSchemaParser(schema: Schema): ParseSchema {
  return isZodSchema(schema) ? createZodParser(schema as zod.$ZodType) : createStandardParser(schema);
}

function createZodParser(schema: zod.$ZodType): ParseSchema {
  const parts = toParts(schema);
  // Only running it would tell whether code returns a promise, and of a run that is given up one is left behind.
  const holdsCode = [...parts].some((part) => typeof part === 'function');
  for (const part of parts) boundList(part);
  // A compiled schema is several times as fast, and would run code twice on what is invalid. zod compiles from 4.6 on.
  const { run } = (holdsCode || !isOfOurZod(schema) || !('compile' in zod) ? schema : zod.compile(schema))._zod;
  return (input) => {
    const context = { async: holdsCode, [BOUNDED]: true };
    return andThen(run({ value: input, issues: [] }, context), ({ value, issues }) => {
      if (issues.length === 0) return { ok: true, value };
      const told = issues.slice(0, MAX_ISSUES).map(finishIssue);
      return { ok: false, issues: told, omitted: issues.reduce((sum, issue) => sum + countOf(issue), -told.length) };
    });
  };
}

/** An issue with its text. Where the locale alone has a say in that, the copy of zod takes longer than the fault. */
function finishIssue(raised: zod.$ZodRawIssue): Issue {
  const { customError, localeError } = zod.config();
  const issue = raised as Partial<Issue> & { inst?: zod.$ZodType; schema?: zod.$ZodType | undefined };
  const { path = [], message, code, issues, errors, format, pattern, keys } = issue;
  issue.schema ??= issue.inst;
  const isOwn = message || customError || issue.inst?._zod.def.error || issue.schema?._zod.def.error;
  const text = isOwn ? undefined : localeError?.(raised);
  if (typeof text === 'string') return { path, message: text, code, issues, errors, format, pattern, keys };
  return zod.util.finalizeIssue(raised, undefined, zod.config());
}

/** A schema and all functions and objects that its definition holds, at every depth. */
function toParts(part: unknown, found = new Set<unknown>()): ReadonlySet<unknown> {
  if ((typeof part !== 'object' && typeof part !== 'function') || part === null || found.has(part)) return found;
  found.add(part);
  const definition = ((part as Partial<zod.$ZodType>)._zod?.def ?? part) as Readonly<Record<string, unknown>>;
  // Not by their values: that of a default asks the application for one.
  for (const name of Object.keys(definition).filter((each) => !quietParts.has(each)))
    toParts(name === 'getter' ? (definition[name] as () => unknown)() : definition[name], found);
  return found;
}

/** Parts with values or code of zod's own. */
const quietParts: ReadonlySet<string> = new Set(
  'error when defaultValue catchValue values entries pattern tx _cachedInner'.split(' '),
);

/** Lets a list or a record keep the issues of its first wrong items, in our runs alone. */
function boundList(part: unknown): void {
  const inner = (part as Partial<zod.$ZodType>)._zod;
  if (inner === undefined || !lists.has(inner.def?.type) || bounded.has(inner)) return;
  bounded.add(inner);
  const { run } = inner;
  inner.run = (payload, context) => {
    if (BOUNDED in context) Object.assign(payload.issues, { push: pushFirst });
    return run(payload, context);
  };
}

const BOUNDED = Symbol('capix.bounded');
const bounded = new WeakSet<object>();
const lists: ReadonlySet<unknown> = new Set(['array', 'record', 'tuple']);

/** Keeps the first {@link MAX_ISSUES} issues; the last one of them counts the others. */
function pushFirst(this: zod.$ZodRawIssue[], ...issues: readonly zod.$ZodRawIssue[]): number {
  for (const issue of issues) {
    const last = this[MAX_ISSUES - 1];
    if (last === undefined) this[this.length] = issue;
    else {
      // An issue that ends a parse still does, so that no code of the application is given the list.
      const isGoingOn = last.continue === true && issue.continue === true;
      Object.assign(last, { omitted: countOf(last) - 1 + countOf(issue), continue: isGoingOn });
    }
  }
  return this.length;
}

function countOf(issue: zod.$ZodRawIssue): number {
  return 1 + Number(issue['omitted'] ?? 0);
}

function createStandardParser({ '~standard': { validate } }: StandardSchema): ParseSchema {
  return (input) =>
    andThen(validate(input), (result) => {
      if (result.issues === undefined) return { ok: true, value: result.value };
      const told = result.issues.slice(0, MAX_ISSUES).map((issue) => toIssue(issue, input));
      return { ok: false, issues: told, omitted: result.issues.length - told.length };
    });
}

/** The fields by which valibot (`type`), zod and arktype (`code`, and `problem`, without the path) say more. */
type LibraryIssue = StandardIssue & Partial<Record<'type' | 'code' | 'problem', string>> & Pick<Issue, 'keys'>;

function toIssue({ code, type, problem, keys, ...issue }: LibraryIssue, input: unknown): Issue {
  const path = Array.from(issue.path ?? [], (step) => (typeof step === 'object' ? step.key : step));
  // A missing field has the same code whatever the library.
  const isMissing = path.length > 0 && findSent(input, path) === undefined;
  return { path, message: problem ?? issue.message, code: isMissing ? 'invalid_type' : (code ?? type), keys };
}
