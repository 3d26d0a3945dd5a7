import * as zod from 'zod/v4/core';
import type { Schema } from './schema.ts';

export interface Issue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly code?: string | undefined;
}

/** What zod's `safeParse` gives. */
export type ParseResult =
  | { readonly success: true; readonly data: unknown }
  | { readonly success: false; readonly error: { readonly issues: readonly Issue[] } };

/** Parses in the same turn. @throws $ZodAsyncError when the schema turns out to be asynchronous */
export type ParseSchema = (input: unknown) => ParseResult;

/**
 * The schema's `safeParse`; where the schema is of the version of zod that this package found, compiled to a function of its own,
 * and its issues gathered without the error that zod would make of them, whose stack costs more than they do.
 */
export function toParseSchema(schema: Schema): ParseSchema {
  if (!isOfOurVersion(schema)) return (input) => (schema as unknown as Parser).safeParse(input);
  // zod compiles from 4.6 on.
  const compiled = ('compile' in zod ? zod.compile(schema) : schema)._zod;
  return (input) => {
    const ctx = { async: false };
    const payload = compiled.run({ value: input, issues: [] }, ctx);
    if (payload instanceof Promise) throw new zod.$ZodAsyncError();
    if (payload.issues.length === 0) return { success: true, data: payload.value };
    return {
      success: false,
      error: { issues: payload.issues.map((issue) => zod.util.finalizeIssue(issue, ctx, zod.config())) },
    };
  };
}

interface Parser {
  safeParse(input: unknown): ParseResult;
}

/** Compiling and finishing issues reach inside a schema, so another version is left alone; another copy is no matter. */
function isOfOurVersion(schema: Schema): boolean {
  const { major, minor, patch } = schema._zod.version;
  return major === zod.version.major && minor === zod.version.minor && patch === zod.version.patch;
}
