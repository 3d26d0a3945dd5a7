import { toSafeInput } from '../../../server-runtime/input/safe-input.ts';
import { usageError } from '../../cli/errors/cli-error.ts';
import { stripControl } from '../../terminal/control/strip-control.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import { readWord } from './read-word.ts';

/**
 * The input of a call as given on the command line: a JSON object, `-` for one on stdin, `@file` for one in a file, nothing for `{}`. As over HTTP, keys that could
 * reach a prototype are left out.
 *
 * @throws CliError `Usage`, exit code 2, that says what is wrong with the JSON
 */
export async function readInput(given: string | undefined, terminal: Terminal): Promise<object> {
  if (given === undefined) return {};
  const text = await readWord(given, terminal);
  if (text.trim() === '') return {};
  const input = parseJson(text);
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    const kind = input === null ? 'null' : Array.isArray(input) ? 'an array' : `a ${typeof input}`;
    throw usageError(`The input must be a JSON object, got ${kind}.`, howToWrite);
  }
  const safe = toSafeInput(input);
  // One that is nested too deep is refused by whoever it is sent to, in words of its own.
  return safe.ok ? (safe.value as object) : input;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason = stripControl(error instanceof Error ? error.message : String(error));
    throw usageError(`The input is not JSON: ${reason}.`, howToWrite);
  }
}

const howToWrite = `Write it as one argument in single quotes, as '{"id": "1"}', or pass - and write it to stdin, or @file.`;
