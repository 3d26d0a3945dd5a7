import type { CodeInputs } from '../../load/watch/code-inputs.ts';
import type { SeenChange } from '../../system/watch/gather-changes.ts';

/** An event of a session. `at` is its moment, milliseconds of `performance.now()`. */
export type SessionEvent =
  | { readonly kind: 'asked'; readonly why: 'start' | 'restart'; readonly at: number }
  | { readonly kind: 'files-changed'; readonly changes: readonly SeenChange[]; readonly at: number }
  /** `code` is the same for the same code and environment. */
  | { readonly kind: 'built'; readonly code: string; readonly at: number }
  /** `reason` is the same for the same failure. */
  | { readonly kind: 'build-failed'; readonly reason: string; readonly inputs: CodeInputs; readonly at: number }
  | RunEnd
  /** Code that runs has loaded more. */
  | { readonly kind: 'read'; readonly inputs: CodeInputs }
  /** The time of a `wait` is over. */
  | { readonly kind: 'waited'; readonly wait: number; readonly at: number }
  /** A process of the server is told to end. */
  | { readonly kind: 'process-ending'; readonly at: number }
  /** The process that was told to end at `from` has ended. */
  | { readonly kind: 'process-ended'; readonly from: number; readonly at: number }
  | { readonly kind: 'stopped' };

/** The start has led to a server or failed, or was given up. */
interface RunEnd {
  readonly kind: 'ran';
  readonly wasGivenUp: boolean;
  readonly hasFailed: boolean;
  /** As that of `built`, of the files as they were read; undefined where one has changed since. */
  readonly code: string | undefined;
  readonly inputs: CodeInputs;
  /** Absolute paths of files that it could not find. */
  readonly missing: readonly string[];
  readonly at: number;
}

export type SessionEventOf<Kind extends SessionEvent['kind']> = Extract<SessionEvent, { readonly kind: Kind }>;
