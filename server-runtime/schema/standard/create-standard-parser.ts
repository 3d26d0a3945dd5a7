import { andThen } from '../../errors/outcome.ts';
import { findSent } from '../find-sent.ts';
import type { Issue, ParseSchema } from '../schema-parser.ts';
import type { StandardIssue, StandardSchema } from './standard-schema.ts';

/** The parser of a schema that is not of zod: what its library finds, in the words of the library. */
export function createStandardParser(schema: StandardSchema, maxIssues: number): ParseSchema {
  const standard = schema['~standard'];
  return (input) =>
    andThen(standard.validate(input), (result) => {
      if (result.issues === undefined) return { success: true, data: result.value };
      const told = result.issues.slice(0, maxIssues).map((issue) => toIssue(issue, input));
      return { success: false, issues: told, omitted: result.issues.length - told.length };
    });
}

/** The fields by which valibot (`type`) and arktype (`code`, and `problem`, the message without the path) say more. */
interface LibraryIssue extends StandardIssue {
  readonly type?: unknown;
  readonly code?: unknown;
  readonly problem?: unknown;
}

function toIssue(issue: LibraryIssue, input: unknown): Issue {
  const path = (issue.path ?? []).map((step) => (typeof step === 'object' ? step.key : step));
  const message = typeof issue.problem === 'string' ? issue.problem : issue.message;
  // A missing field has the same code whatever the library.
  const isMissing = path.length > 0 && findSent(input, path) === undefined;
  return { path, message, code: isMissing ? 'invalid_type' : toCode(issue) };
}

function toCode({ code, type }: LibraryIssue): string {
  return typeof code === 'string' ? code : typeof type === 'string' ? type : 'custom';
}
