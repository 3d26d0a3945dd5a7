import type { CheckRuleId } from './mistakes/check-rules.ts';

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
