import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { findNearest } from '../../server-runtime/errors/expect-options.ts';
import { isUnsafeKey, toSafeInput, toTypeWords } from '../../server-runtime/input/safe-input.ts';
import type { Operation } from '../../server-runtime/registry/compile-registry.ts';
import { usageError } from '../cli/cli-error.ts';
import { toFileReason } from '../cli/report-failure.ts';
import { toApiSchema } from '../document/branch.ts';
import { isSameJson } from '../document/fits-branch.ts';
import { type FieldFlag, type FormField, toFieldFlags } from '../document/form-field.ts';
import { toGroupField, toRootField } from '../document/root-field.ts';
import { toSchemaJson } from '../document/to-schema-json.ts';
import { parseExactJson } from '../form/parse-exact-json.ts';
import { stripControl } from '../terminal/strip-control.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { findValueAt, isJsonObject, withValueAt } from '../values/json.ts';
import { type CallInput, toCallInput } from './call-input.ts';

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
  const [first = '--'] = words;
  const hasInput = !/^--./.test(first) && words.length > 0;
  let input = await readInput(hasInput ? first : '', terminal);
  const flags = parseFlags(hasInput ? words.slice(1) : words);
  if (flags.length === 0) return { json: input, files: {} };
  const field = toOperationField(operation);
  for (const [name, word] of flags) {
    const found = expectField(field, name);
    const value = await readFlagValue(found.field, word, terminal);
    if (value === undefined) throw usageError(`option '--${name}': its value is missing`);
    input = withFlag(input, found, value);
  }
  return toCallInput(field, input, terminal.workingDirectory());
}

/** Reads the value of a flag; undefined where it is missing. A flag alone switches a toggle on. */
async function readFlagValue(
  { kind }: FormField,
  word: string | undefined,
  terminal: Terminal,
): Promise<string | undefined> {
  if (word === undefined) return kind.kind === 'toggle' ? 'true' : undefined;
  const isFile = kind.kind === 'file' || (kind.kind === 'list' && kind.item().kind.kind === 'file');
  // The value of a file is its path, with or without the `@` that reads other values from one.
  if (isFile) return word.replace(/^@/, '');
  return word === '' ? '' : readWord(word, terminal);
}

/** The form of the input of a capability; without fields where it takes none. */
export function toOperationField({ definition }: Pick<Operation, 'definition'>): FormField {
  const { schema } = definition;
  return schema === undefined
    ? toGroupField([])
    : toRootField(toApiSchema(toSchemaJson(schema, 'input')));
}

/** Keys that could reach a prototype are left out, as over HTTP. */
async function readInput(argument: string, terminal: Terminal): Promise<object> {
  const text = await readWord(argument, terminal);
  if (text.trim() === '') return {};
  let input: unknown;
  try {
    input = JSON.parse(text);
  } catch (error) {
    throw usageError(
      `The input is not JSON: ${stripControl((error as Error).message)}.`,
      howToWrite,
    );
  }
  if (!isJsonObject(input)) {
    throw usageError(`The input must be a JSON object, got ${toTypeWords(input)}.`, howToWrite);
  }
  const safe = toSafeInput(input);
  // One that is nested too deep is refused by whoever it is sent to, in words of its own.
  return safe.ok ? (safe.value as object) : input;
}

const howToWrite =
  'Write it as one argument in single quotes, as \'{"id": "1"}\', or pass - and write it to stdin, or @file.';

/**
 * Reads the value that a word of the command line stands for: `@file` for the text of a file, `-` for stdin, `@@` for
 * an @; any other word for itself.
 *
 * @throws CliError `Usage` where the file cannot be read
 */
async function readWord(
  word: string,
  terminal: Pick<Terminal, 'readIn' | 'workingDirectory'>,
): Promise<string> {
  if (word === '-') return terminal.readIn();
  if (word.startsWith('@@')) return word.slice(1);
  if (!word.startsWith('@') || word === '@') return word;
  const path = word.slice(1);
  return readFile(resolve(terminal.workingDirectory(), path), 'utf8').catch(
    (error: NodeJS.ErrnoException) => {
      const reason =
        error.code === 'ENOENT' ? 'it is not there' : (toFileReason(error) ?? error.code);
      throw usageError(
        `Could not read ${path}: ${reason}.`,
        'Write @@ for a text that begins with @.',
      );
    },
  );
}

/** The words of `--id 1 --tag a --tag=b --dry` as flags. A word with two dashes is a value only behind `=`. */
function parseFlags(
  words: readonly string[],
): readonly (readonly [name: string, value: string | undefined])[] {
  const [word, next = '--', ...rest] = words;
  if (word === undefined) return [];
  const { name, inlineValue } =
    /^--(?<name>[^=]+)(?:=(?<inlineValue>[^]*))?$/.exec(word)?.groups ?? {};
  if (name === undefined)
    throw usageError(`\`${word}\` belongs to no field.`, 'Write a field as `--name value`.');
  if (inlineValue !== undefined || /^--./.test(next) || words.length === 1)
    return [[name, inlineValue], ...parseFlags(words.slice(1))];
  return [[name, next], ...parseFlags(rest)];
}

/** The field that a flag names, which may be written with dashes: `--created-at`, `--address.city`. */
function expectField(whole: FormField, name: string): Pick<FieldFlag, 'path' | 'field'> {
  const toDashed = (flag: string) =>
    flag.replace(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`);
  const found = toFieldFlags(whole).find(({ flag }) =>
    [flag, toDashed(flag)].includes(`--${name}`),
  );
  const extra =
    whole.kind.kind === 'group' && !isUnsafeKey(name) ? whole.kind.extra?.() : undefined;
  if (found !== undefined) return found;
  if (extra !== undefined) return { path: [name], field: extra };
  const own = toFieldFlags(whole).filter(({ path }) => path.length === 1);
  const nearest = findNearest(
    name,
    own.map(({ field }) => field.name),
  );
  const list = own.map(({ flag, field }) => `${flag} <${field.type}>`).join('  ');
  const hint = list === '' ? 'The capability takes no input.' : `Its fields: ${list}`;
  throw usageError(
    `unknown option '--${name}'`,
    nearest === undefined ? hint : `Did you mean \`--${nearest}\`?`,
  );
}

function withFlag(
  input: object,
  { path, field }: Pick<FieldFlag, 'path' | 'field'>,
  text: string,
): object {
  const { kind } = field;
  if (kind.kind !== 'list' || text.trim().startsWith('['))
    return withValueAt(input, path, toTypedValue(field, text)) as object;
  const before = findValueAt(input, path);
  const items: readonly unknown[] = Array.isArray(before) ? before : [];
  return withValueAt(input, path, [...items, toTypedValue(kind.item(), text)]) as object;
}

/** A text, or the value that it is in JSON. What is not of the type of its field stays a text. */
function toTypedValue({ kind }: FormField, text: string): unknown {
  if (kind.kind === 'text' || kind.kind === 'file') return text;
  const read = parseExactJson(text);
  const values = 'value' in read ? [read.value, text] : [text];
  const isOneOf = (value: unknown): boolean => {
    if (kind.kind === 'picker')
      return value === null || kind.values.some((one) => isSameJson(one, value));
    return (
      kind.kind !== 'union' || value === null || kind.variants.some(({ admits }) => admits(value))
    );
  };
  const [typed = text] = values.filter(isOneOf);
  return typed;
}
