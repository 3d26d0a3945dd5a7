import { type CheckRuleId, checkRules } from './check-rules.ts';
import type { Listed } from './listed.ts';

/** Something about a project that its author should know. */
export interface Problem {
  /** An error keeps the server from starting or a request from working; a warning does not. */
  readonly severity: 'error' | 'warning';
  readonly code: ProblemCode;
  readonly message: string;
  /** The capabilities concerned, in the order of declaration. */
  readonly keys: readonly string[];
  /** The next step. */
  readonly hint?: string | undefined;
  /** Relative to the project's root. */
  readonly file?: string | undefined;
  /** The line, counted from 1. */
  readonly line?: number | undefined;
}

/** The permanent id of its rule, for scripts. */
export type ProblemCode = CheckRuleId;

/** A problem of one capability, with what its rule says of how bad it is. */
export function toMistake(
  code: ProblemCode,
  { key, facts: { source } }: Pick<Listed, 'key' | 'facts'>,
  words: Pick<Problem, 'message' | 'hint'>,
): Problem {
  return {
    severity: checkRules[code].severity,
    code,
    keys: [key],
    file: source?.file,
    line: source?.line,
    ...words,
  };
}

/** A problem of the project, or of one of its files. */
export function toProjectProblem(
  code: ProblemCode,
  words: Pick<Problem, 'message' | 'hint' | 'file'>,
): Problem {
  return { severity: checkRules[code].severity, code, keys: [], ...words };
}
