import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { findNearest } from '../../../server-runtime/errors/expect-options.ts';
import { isUnsafeKey, toSafeInput } from '../../../server-runtime/input/safe-input.ts';
import type { Operation } from '../../../server-runtime/registry/operation.ts';
import { usageError } from '../../cli/cli-error.ts';
import { toFileReason } from '../../cli/report-failure.ts';
import { toApiSchema } from '../../document/branch.ts';
import type { FormField } from '../../document/form-field.ts';
import { toGroupField, toRootField } from '../../document/root-field.ts';
import { toSchemaJson } from '../../document/to-schema-json.ts';
import { findNumberProblem, parseExactJson } from '../../kit/form/parse-exact-json.ts';
import { stripControl } from '../../terminal/strip-control.ts';
import type { Terminal } from '../../terminal/terminal.ts';
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
  return schema === undefined ? toGroupField([]) : toRootField(toApiSchema(toSchemaJson(schema, 'input')));
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

const howToWrite =
  `Write it as one argument in single quotes, as '{"id": "1"}', ` + 'or pass - and write it to stdin, or @file.';

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

/** A flag as it was written, its value read: `@file` and `-` are what the file and stdin hold. */
export interface Flag {
  /** `address.city` */
  readonly name: string;
  /** Undefined where none follows. */
  readonly value: string | undefined;
}

/** The words of `--id 1 --tag a --tag=b --dry` as flags. A word with two dashes is a value only behind `=`. */
export function parseFlags(words: readonly string[]): readonly Flag[] {
  const flags: Flag[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? '';
    const [, name, given] = /^--([^=]+)(?:=([^]*))?$/.exec(word) ?? [];
    if (name === undefined) throw usageError(`\`${word}\` belongs to no field.`, 'Write a field as `--name value`.');
    const next = words[at + 1];
    const follows = given === undefined && next !== undefined && !/^--./.test(next);
    flags.push({ name, value: given ?? (follows ? next : undefined) });
    if (follows) at++;
  }
  return flags;
}

/**
 * The input that flags describe, over one that is given: `--id 1` by the type of the field, `--tag a --tag b` as a
 * list, `--address.city Rome` inside of an object, `--dry` and `--no-dry`; a list, an object or a union may be JSON.
 * What is not of the type of its field stays a text, which the schema refuses. Names may be written with dashes:
 * `--created-at`.
 *
 * @throws CliError `Usage` for a flag that is not a field, or lacks its value
 */
export function toFlagInput(field: FormField, flags: readonly Flag[], given: object): object {
  const input: Record<string, unknown> = { ...given };
  for (const flag of flags) {
    const found = findField(field, flag.name);
    if (found === undefined) throw toUnknownFlag(field, flag.name);
    setValue(input, found, flag);
  }
  return input;
}

/** Whether a flag names files: what follows it is their path. */
export function namesFile(field: FormField, { name }: Flag): boolean {
  const kind = findField(field, name)?.field.kind;
  return kind?.kind === 'file' || (kind?.kind === 'list' && kind.item().kind.kind === 'file');
}

interface FoundField {
  readonly path: readonly string[];
  readonly field: FormField;
  readonly isNegated: boolean;
}

function setValue(input: Record<string, unknown>, { path, field, isNegated }: FoundField, flag: Flag): void {
  let inside = input;
  for (const name of path.slice(0, -1)) {
    const next = inside[name];
    const copy = typeof next === 'object' && next !== null && !Array.isArray(next) ? { ...next } : {};
    inside[name] = copy;
    inside = copy as Record<string, unknown>;
  }
  const last = path.at(-1) ?? '';
  const value = toValue(field, flag, isNegated);
  const before = inside[last];
  const isMore = field.kind.kind === 'list' && !(Array.isArray(value) && flag.value?.trim().startsWith('['));
  inside[last] = isMore ? [...(Array.isArray(before) ? (before as readonly unknown[]) : []), value] : value;
}

function toValue(field: FormField, { name, value }: Flag, isNegated: boolean): unknown {
  if (field.kind.kind === 'toggle' && value === undefined) return !isNegated;
  if (value === undefined) throw usageError(`option '--${name}': its value is missing`);
  if (field.kind.kind !== 'list') return toTypedValue(field, value);
  return value.trim().startsWith('[') ? toJson(value) : toTypedValue(field.kind.item(), value);
}

function toTypedValue({ kind, isNullable }: FormField, text: string): unknown {
  if (isNullable && text === 'null' && kind.kind !== 'text') return null;
  switch (kind.kind) {
    case 'text':
    case 'file':
      return text;
    case 'number':
      return findNumberProblem(text) === undefined ? Number(text) : text;
    case 'toggle':
      return text === 'true' || text === 'false' ? text === 'true' : text;
    case 'picker':
      return kind.values.find((value) => value === text || JSON.stringify(value) === text) ?? text;
    case 'union':
      return [toJson(text), text].find((value) => kind.variants.some(({ admits }) => admits(value))) ?? text;
    case 'group':
    case 'list':
    case 'tuple':
    case 'json':
      return toJson(text);
  }
}

function toJson(text: string): unknown {
  const parsed = parseExactJson(text);
  return 'value' in parsed ? parsed.value : text;
}

function findField(whole: FormField, name: string): FoundField | undefined {
  const direct = findPath(whole, name);
  if (direct !== undefined || !name.startsWith('no-')) return direct && { ...direct, isNegated: false };
  const negated = findPath(whole, name.slice(3));
  return negated?.field.kind.kind === 'toggle' ? { ...negated, isNegated: true } : undefined;
}

/** A field by its whole name, else by the names of the objects that it is in. */
function findPath({ kind }: FormField, name: string): Omit<FoundField, 'isNegated'> | undefined {
  if (kind.kind !== 'group' || isUnsafeKey(name)) return undefined;
  const isNamed = (wanted: string) => (field: FormField) => field.name === wanted || toDashed(field.name) === wanted;
  const own = kind.fields().find(isNamed(name));
  if (own !== undefined) return { path: [own.name], field: own };
  for (let at = name.indexOf('.'); at !== -1; at = name.indexOf('.', at + 1)) {
    const outer = kind.fields().find(isNamed(name.slice(0, at)));
    const inner = outer && findPath(outer, name.slice(at + 1));
    if (outer !== undefined && inner !== undefined) return { ...inner, path: [outer.name, ...inner.path] };
  }
  return kind.extra === undefined ? undefined : { path: [name], field: kind.extra() };
}

function toDashed(name: string): string {
  return name.replace(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`);
}

function toUnknownFlag({ kind }: FormField, name: string): Error {
  const fields = kind.kind === 'group' ? kind.fields() : [];
  const names = fields.map((field) => field.name);
  const nearest = findNearest(name, names);
  const list = fields.map((field) => `--${field.name} <${field.type}>`).join('  ');
  const hint = nearest === undefined ? undefined : `Did you mean \`--${nearest}\`?`;
  const told = list === '' ? 'The capability takes no input.' : `Its fields: ${list}`;
  return usageError(`unknown option '--${name}'`, hint ?? told);
}
