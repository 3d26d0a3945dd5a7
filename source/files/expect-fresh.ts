import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { createCliError } from '../cli/errors/cli-error.ts';
import { stripControl } from '../terminal/control/strip-control.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** The parts of `--check` that a command knows. */
export interface FreshCheck {
  /** The file that is looked at where `--output` names none. */
  readonly defaultFile: string;
  /** The command and the options that decide on what it writes: `['openapi', '--title', 'Shop']`. */
  readonly command: readonly string[];
}

/** The check of a command whose text depends on the capabilities file alone; nothing without `--check`. */
export function toFreshCheck(
  defaultFile: string,
  command: string,
  { check, config }: { readonly check: boolean; readonly config?: string | undefined },
): FreshCheck | undefined {
  return check ? { defaultFile, command: [command, ...(config === undefined ? [] : ['--config', config])] } : undefined;
}

export interface CheckedFile {
  readonly terminal: Terminal;
  /** The path from the working directory. */
  readonly output: string;
  /** The text that the file must hold. */
  readonly text: string;
  readonly command: readonly string[];
}

/**
 * Expects a committed file to be what a command would write now. The line ends of another system do not count.
 *
 * @throws CliError `StaleFile`, which says what to run
 */
export async function expectFresh({ terminal, output, text, command }: CheckedFile): Promise<void> {
  const found = await readFile(resolve(terminal.workingDirectory(), output), 'utf8').catch(() => undefined);
  if (found?.replaceAll('\r\n', '\n') === text) return;
  const state = found === undefined ? 'is not there' : 'is stale: the capabilities have changed since it was written';
  const words = ['capix', ...command, '--output', output].map((word) =>
    /^[\w./:@=+-]+$/.test(word) ? word : JSON.stringify(word),
  );
  const hint = `Run: ${stripControl(words.join(' '))}`;
  throw createCliError('StaleFile', { path: stripControl(output), state }, { hint });
}
