import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { toSafeInput } from '../../../server-runtime/input/safe-input.ts';
import type { Operation } from '../../../server-runtime/registry/operation.ts';
import { usageError } from '../../cli/errors/cli-error.ts';
import { toFileReason } from '../../cli/errors/file-reason.ts';
import { toSchemaJson } from '../../document/to-schema-json.ts';
import type { FormField } from '../../shape/form-field.ts';
import { toShape } from '../../shape/read/to-shape.ts';
import { toGroupField, toRootField } from '../../shape/root-field.ts';
import { stripControl } from '../../terminal/control/strip-control.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import { type CallInput, toCallInput } from '../run/call-input.ts';
import { namesFile, parseFlags, toFlagInput } from './to-flag-input.ts';

/**
 * The input that the words behind the key say: a JSON object, `-` or `@file`, and flags for its fields.
 *
 * @throws CliError `Usage`
 */
export async function readCallWords(
  words: readonly string[],
  operation: Operation,
  terminal: Terminal,
): Promise<CallInput> {
  const [first] = words;
  const isGiven = first !== undefined && !/^--./.test(first);
  const given = await readInput(isGiven ? first : undefined, terminal);
  const flags = parseFlags(isGiven ? words.slice(1) : words);
  if (flags.length === 0) return { json: given, files: {} };
  const field = toOperationField(operation);
  const read = await Promise.all(
    flags.map(async (flag) => {
      const { value } = flag;
      if (value === undefined) return flag;
      return { ...flag, value: namesFile(field, flag) ? value.replace(/^@/, '') : await readWord(value, terminal) };
    }),
  );
  return toCallInput(field, toFlagInput(field, read, given), terminal.workingDirectory());
}

/** The form of the input of a capability; without fields where it takes none. */
export function toOperationField({ definition }: Pick<Operation, 'definition'>): FormField {
  const { schema } = definition;
  return schema === undefined ? toGroupField([]) : toRootField(toShape(toSchemaJson(schema, 'input')));
}

/**
 * The input of a call as given on the command line: a JSON object, `-` for one on stdin, `@file` for one in a file,
 * nothing for `{}`. As over HTTP, keys that could reach a prototype are left out.
 *
 * @throws CliError `Usage`, exit code 2, that says what is wrong with the JSON
 */
async function readInput(given: string | undefined, terminal: Terminal): Promise<object> {
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

/**
 * Reads the value that a word of the command line stands for: `@file` for the text of a file, `-` for stdin, `@@` for
 * an @; any other word for itself.
 *
 * @throws CliError `Usage` where the file cannot be read
 */
async function readWord(word: string, terminal: Pick<Terminal, 'readIn' | 'workingDirectory'>): Promise<string> {
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
