import { resolve } from 'node:path';
import { CliError } from '../cli/cli-error.ts';
import { toJsonOutput } from '../cli/json-output.ts';
import { escapeJson } from '../terminal/escape-json.ts';
import { stripControl } from '../terminal/strip-control.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { writeFileWhole } from './write-file.ts';

export interface Output {
  readonly terminal: Terminal;
  /** `--output` as given; undefined writes to stdout. */
  readonly output: string | undefined;
  readonly text: string;
  /** Whether `--json` was given: that a file was written is then said as `{file}` on stdout. */
  readonly asJson: boolean;
}

/**
 * Writes what a command made to stdout, or to the file that the user named for it, which is replaced as a whole.
 *
 * @throws CliError `WriteFailed`
 */
export async function writeOutput({ terminal, output, text, asJson }: Output): Promise<void> {
  if (output === undefined) {
    terminal.writeOut(text);
    return;
  }
  await writeNamedFile({ terminal, output, text });
  if (asJson) terminal.writeOut(escapeJson(toJsonOutput({ file: output })));
  else terminal.writeError(`Wrote ${stripControl(output)}\n`);
}

export interface NamedFile extends Omit<Output, 'output' | 'asJson'> {
  readonly output: string;
}

/**
 * Writes a file that the user named from the working directory, and the folders above it.
 *
 * @throws CliError `WriteFailed`
 */
export async function writeNamedFile({ terminal, output, text }: NamedFile): Promise<void> {
  const shown = stripControl(output);
  try {
    await writeFileWhole(resolve(terminal.workingDirectory(), output), text);
  } catch (error) {
    throw new CliError({
      code: 'WriteFailed',
      message: `Could not write ${shown}: ${toWriteReason(error)}.`,
      hint: 'Pass --output <file> of a file that can be written.',
      cause: error,
    });
  }
}

/** Why a file could not be written, in a few words: `'it is a folder'`. */
export function toWriteReason(error: unknown): string {
  const { code = 'unknown' } = error as NodeJS.ErrnoException;
  return reasons[code] ?? code;
}

const reasons: Readonly<Record<string, string>> = {
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of its path is a file',
  EEXIST: 'a part of its path is a file',
  EACCES: 'permission is denied',
  EPERM: 'permission is denied',
  EROFS: 'the disk is read-only',
  ENOSPC: 'the disk is full',
};
