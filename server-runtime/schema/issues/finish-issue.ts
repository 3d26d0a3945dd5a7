import * as zod from 'zod/v4/core';
import type { Issue } from '../schema-parser.ts';

/**
 * The issue that zod's `finalizeIssue` makes of what a schema raised, with its text, which is zod's. Where the locale alone has a say in that, the issue is finished
 * in place and keeps the fields in which zod notes its origin: zod's copy takes longer than to find out what is wrong.
 */
export function finishIssue(raised: zod.$ZodRawIssue): Issue {
  const config = zod.config();
  const { localeError, customError } = config;
  if (localeError === undefined || customError !== undefined || hasOwnText(raised))
    return zod.util.finalizeIssue(raised, undefined, config);
  const issue = raised as Finished;
  issue.schema ??= issue.inst;
  const text = localeError(raised);
  issue.message = (typeof text === 'string' ? text : text?.message) ?? 'Invalid input';
  issue.path ??= [];
  return issue;
}

type Finished = { -readonly [name in keyof Issue]: Issue[name] } & { schema?: unknown; readonly inst?: unknown };

/** Whether the application gave a text to it, or to the schema or the check that raised it. */
function hasOwnText({ message, inst, schema }: zod.$ZodRawIssue): boolean {
  return Boolean(message) || hasErrorMap(inst) || hasErrorMap(schema);
}

function hasErrorMap(origin: unknown): boolean {
  return (origin as zod.$ZodType | undefined)?._zod.def.error !== undefined;
}
