import { usageError } from '../cli/cli-error.ts';
import { stripControl } from '../terminal/strip-control.ts';
import type { Terminal } from '../terminal/terminal.ts';

/**
 * The input of a call as given on the command line: JSON, `-` for JSON on stdin, nothing for `{}`.
 *
 * @throws CliError `Usage`, exit code 2, that says where the JSON is wrong
 */
export async function readInput(given: string | undefined, terminal: Terminal): Promise<unknown> {
  if (given === undefined) return {};
  const text = given === '-' ? await terminal.readIn() : given;
  if (text.trim() === '') return {};
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    const reason = stripControl(error instanceof Error ? error.message : String(error));
    throw usageError(
      `The input is not JSON: ${reason}.`,
      `Write it as one argument in single quotes, as '{"id": "1"}', or pass - and write it to stdin.`,
    );
  }
}
