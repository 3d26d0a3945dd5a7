import { relative } from 'node:path';
import { createCliError } from '../cli/errors/cli-error.ts';
import { toFileReason } from '../cli/errors/file-reason.ts';
import { WriteFailure } from './write-files.ts';

export interface WriteErrorOptions {
  /** Absolute path of the folder that the message names files from. */
  readonly from: string;
  /** @default 'Fix that, then run the command again.' */
  readonly hint?: string;
}

/** The error of a command that could not write: which file, why, and what is left of it. Any other thrown value is given back. */
export function toWriteError(thrown: unknown, { from, hint }: WriteErrorOptions): unknown {
  if (!(thrown instanceof WriteFailure)) return thrown;
  const { file, left, cause } = thrown;
  const toName = (path: string): string => {
    const name = relative(from, path).replaceAll('\\', '/');
    return name.startsWith('..') || name === '' ? path : name;
  };
  const rest = left.length === 0 ? ' Nothing was written.' : ` ${left.map(toName).join(', ')} could not be put back.`;
  return createCliError('WriteFailed', { path: toName(file), reason: toWriteReason(cause), rest }, { hint, cause });
}

/** Why a file could not be written, in a few words: `'it is a folder'`. */
export function toWriteReason(error: unknown): string {
  return toFileReason(error) ?? (error as NodeJS.ErrnoException | undefined)?.code ?? 'unknown';
}
