import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { usageError } from '../../cli/errors/cli-error.ts';
import { toFileReason } from '../../cli/errors/file-reason.ts';
import type { Terminal } from '../../terminal/terminal.ts';

/**
 * Reads the value that a word of the command line stands for: `@file` for the text of a file, `-` for stdin, `@@` for an @; any other word for itself.
 *
 * @throws CliError `Usage` where the file cannot be read
 */
export async function readWord(word: string, terminal: Pick<Terminal, 'readIn' | 'workingDirectory'>): Promise<string> {
  if (word === '-') return terminal.readIn();
  if (word.startsWith('@@')) return word.slice(1);
  if (!word.startsWith('@') || word === '@') return word;
  const path = word.slice(1);
  try {
    return await readFile(resolve(terminal.workingDirectory(), path), 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const reason = code === 'ENOENT' ? 'it is not there' : (toFileReason(error as NodeJS.ErrnoException) ?? code);
    throw usageError(`Could not read ${path}: ${reason}.`, 'Write @@ for a text that begins with @.');
  }
}
