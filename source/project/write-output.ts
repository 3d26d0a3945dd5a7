import { resolve } from 'node:path';
import { CliError } from '../cli/cli-error.ts';
import { stripControl } from '../terminal/strip-control.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { writeFileWhole } from './write-file.ts';

export interface Output {
  readonly terminal: Terminal;
  /** `--output` as given; undefined writes to stdout. */
  readonly output: string | undefined;
  readonly text: string;
}

/**
 * Writes what a command made to stdout, or to the file that the user named for it, which is replaced as a whole.
 *
 * @throws CliError `WriteFailed`
 */
export async function writeOutput({ terminal, output, text }: Output): Promise<void> {
  if (output === undefined) {
    terminal.writeOut(text);
    return;
  }
  await writeNamedFile({ terminal, output, text });
  terminal.writeError(`Wrote ${stripControl(output)}\n`);
}

/**
 * Writes a file that the user named from the working directory, and the folders above it.
 *
 * @throws CliError `WriteFailed`
 */
export async function writeNamedFile({ terminal, output, text }: Output & { readonly output: string }): Promise<void> {
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
