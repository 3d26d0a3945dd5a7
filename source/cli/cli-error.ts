import { exitCodes } from './exit-codes.ts';

export interface CliErrorOptions {
  /** Permanent name in PascalCase, for scripts: `'UnknownCapability'`. */
  readonly code: string;
  /** What happened and why; one sentence or more. Text that is not ours goes through `stripControl` first. */
  readonly message: string;
  /** What to do next: ``Did you mean `items.list`?`` */
  readonly hint?: string | undefined;
  /** Lines shown between message and hint, as a code frame. Not part of the JSON. */
  readonly frame?: string | undefined;
  /** @default 1 */
  readonly exitCode?: number | undefined;
  readonly cause?: unknown;
}

/**
 * Ends a command with a message that its user can act on; the boundary prints it and sets the exit code. On stderr:
 *
 *     error: <message>
 *     <frame>
 *     <hint>
 *
 * With `--json`, on stdout: `{"ok": false, "error": {code, message, hint?}}`. Every other thrown value is a defect, reported as
 * `Unexpected` with exit code 1; `CAPIX_DEBUG=1` shows its stack.
 */
export class CliError extends Error {
  override readonly name = 'CliError';
  readonly code: string;
  readonly hint: string | undefined;
  readonly frame: string | undefined;
  readonly exitCode: number;

  constructor({ code, message, hint, frame, exitCode = exitCodes.failed, cause }: CliErrorOptions) {
    super(message, { cause });
    this.code = code;
    this.hint = hint;
    this.frame = frame;
    this.exitCode = exitCode;
  }
}

/** Wrong usage of a command: exit code 2. */
export function usageError(message: string, hint?: string): CliError {
  return new CliError({ code: 'Usage', message, hint, exitCode: exitCodes.usage });
}
