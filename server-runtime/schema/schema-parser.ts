import * as zod from 'zod/v4/core';
import type { MaybePromise } from '../errors/outcome.ts';
import { type BoundedContext, boundIssues } from './bound-issues.ts';
import { finishIssue } from './issues/finish-issue.ts';
import { mayBeAsync } from './may-be-async.ts';
import { isZodSchema, type Schema, type ZodSchema } from './schema.ts';
import { createStandardParser } from './standard/create-standard-parser.ts';

export interface Issue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly code?: string | undefined;
  /** The issues of each branch of a union. */
  readonly errors?: readonly (readonly Issue[])[] | undefined;
  /** The issues of a key of a record. */
  readonly issues?: readonly Issue[] | undefined;
  /** The type that is expected. */
  readonly expected?: string | undefined;
  /** The values that a literal or an enum expects. */
  readonly values?: readonly unknown[] | undefined;
  /** The name of a format. */
  readonly format?: string | undefined;
  /** The regular expression of a format, as text. */
  readonly pattern?: string | undefined;
  /** The fields that were sent to an object that takes no others. */
  readonly keys?: readonly string[] | undefined;
}

/** As zod's `safeParse` gives it, but no more than the first {@link MAX_ISSUES} issues, and the number of the others. */
export type ParseResult =
  | { readonly success: true; readonly data: unknown }
  | { readonly success: false; readonly issues: readonly Issue[]; readonly omitted: number };

/** A caller can send faults by the hundred thousand in one body, and the text of each costs more than finding it. */
const MAX_ISSUES = 50;

/** A parser gives its result in the same turn, unless code in the schema returns a promise. */
export type ParseSchema = (input: unknown) => MaybePromise<ParseResult>;

/**
 * The schema's `safeParse`, bounded. Where the schema is of the version of zod that this package found, its issues are gathered
 * without the error that zod would make of them, whose stack costs more than they do; and it is compiled, unless it holds
 * code of the application, which a compiled schema runs twice on what is invalid. Made once for each schema.
 */
export function createSchemaParser(schema: Schema): ParseSchema {
  const before = parsers.get(schema);
  if (before !== undefined) return before;
  const parser = toParser(schema);
  parsers.set(schema, parser);
  return parser;
}

/** A schema that many capabilities share is compiled once, and its code is hot sooner. */
const parsers = new WeakMap<Schema, ParseSchema>();

function toParser(schema: Schema): ParseSchema {
  if (!isZodSchema(schema)) return createStandardParser(schema, MAX_ISSUES);
  const isAsync = mayBeAsync(schema);
  if (!isOfOurVersion(schema)) {
    const parser = schema as unknown as Parser;
    return isAsync
      ? (input) => parser.safeParseAsync(input).then(toBounded)
      : (input) => toBounded(parser.safeParse(input));
  }
  // At the first call: compiling the schemas of an application takes longer than the rest of its start.
  let prepared: zod.$ZodType['_zod'] | undefined;
  return (input) => {
    prepared ??= (isAsync ? schema : toQuick(schema))._zod;
    const ctx: BoundedContext = { async: isAsync };
    const parsed = prepared.run({ value: input, issues: [] }, ctx);
    return parsed instanceof Promise ? parsed.then((payload) => toResult(payload, ctx)) : toResult(parsed, ctx);
  };
}

/** Compiled, and bounded where it is found that something is wrong. zod compiles from 4.6 on, and not every schema. */
function toQuick(schema: zod.$ZodType): zod.$ZodType {
  const bounded = boundIssues(schema, MAX_ISSUES);
  try {
    return 'withParser' in zod ? zod.withParser(bounded, zod.compileFn(schema)) : bounded;
  } catch (error) {
    if (error instanceof zod.ZodCompileUnsupportedError) return bounded;
    throw error;
  }
}

type ZodResult =
  | { readonly success: true; readonly data: unknown }
  | { readonly success: false; readonly error: { readonly issues: readonly Issue[] } };

interface Parser {
  safeParse(input: unknown): ZodResult;
  safeParseAsync(input: unknown): Promise<ZodResult>;
}

function toBounded(result: ZodResult): ParseResult {
  if (result.success) return result;
  const { issues } = result.error;
  return { success: false, issues: issues.slice(0, MAX_ISSUES), omitted: Math.max(0, issues.length - MAX_ISSUES) };
}

function toResult({ value, issues }: zod.ParsePayload, ctx: BoundedContext): ParseResult {
  if (issues.length === 0) return { success: true, data: value };
  const told = issues.length > MAX_ISSUES ? issues.slice(0, MAX_ISSUES) : issues;
  return {
    success: false,
    issues: told.map(finishIssue),
    omitted: issues.length - told.length + (ctx.omitted ?? 0),
  };
}

/** Compiling and finishing issues reach inside a schema, so another version is left alone; another copy does not matter. */
function isOfOurVersion(schema: ZodSchema): schema is zod.$ZodType {
  const { major, minor, patch } = (schema as zod.$ZodType)._zod.version;
  return major === zod.version.major && minor === zod.version.minor && patch === zod.version.patch;
}
