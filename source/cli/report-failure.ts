import { getSystemErrorMap } from 'node:util';
import { stripControl } from '../terminal/strip-control.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { CliError, createCliError } from './cli-error.ts';
import { asksForJson, toJsonFailure } from './json-output.ts';

/** Tells the user why the command ended, as text on stderr or as JSON on stdout; gives the exit code. */
export function reportFailure(
  thrown: unknown,
  { terminal, argv }: { readonly terminal: Terminal; readonly argv: readonly string[] },
): number {
  const error = toCliError(thrown);
  if (asksForJson(argv)) terminal.writeOut(toJsonFailure(error, argv));
  else terminal.writeError(toReportText(error));
  if (terminal.environment['CAPIX_DEBUG'])
    terminal.writeError(`${stripControl(toStack(thrown))}\n`);
  return error.exitCode;
}

/** A value thrown by anybody, as an error of ours; what is not ours loses its escape sequences. */
function toCliError(thrown: unknown): CliError {
  if (thrown instanceof CliError) return thrown;
  const { code, path, syscall } = Object(thrown) as NodeJS.ErrnoException;
  const reason = toFileReason(thrown);
  // An error of the system is not a defect: the user can change it.
  if (reason !== undefined && path !== undefined)
    return createCliError(
      'NoAccess',
      { path, reason: `${reason} (${syscall} ${code})` },
      { cause: thrown },
    );
  const problem = thrown instanceof Error ? thrown.message || thrown.name : String(thrown);
  return createCliError('Unexpected', { problem }, { cause: thrown });
}

export function toReportText({ message, frame, hint }: CliError): string {
  const lines = [`error: ${message}`, frame, hint];
  return `${stripControl(lines.filter((line) => line !== undefined && line !== '').join('\n'))}\n`;
}

function toStack(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  const stack = thrown.stack ?? thrown.message;
  return thrown.cause === undefined ? stack : `${stack}\nCaused by: ${toStack(thrown.cause)}`;
}

/** The system's words about a file, to follow a colon: `'permission denied'`; undefined for other errors. */
export function toFileReason(error: unknown): string | undefined {
  const { code } = Object(error) as NodeJS.ErrnoException;
  return [...getSystemErrorMap().values()].find(([name]) => name === code)?.[1];
}

/** Why a file could not be read or written, in a few words: `'not a directory'`. */
export function toAccessReason(error: unknown): string {
  return toFileReason(error) ?? (error as NodeJS.ErrnoException | undefined)?.code ?? 'unknown';
}
