import type { Operation } from '../../../server-runtime/registry/operation.ts';
import { toSchemaView } from '../../document/schema-view.ts';
import type { FormField } from '../../shape/form-field.ts';
import { toShape } from '../../shape/read/to-shape.ts';
import { toGroupField, toRootField } from '../../shape/root-field.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import { type CallInput, toCallInput } from '../run/call-input.ts';
import { readInput } from './read-input.ts';
import { readWord } from './read-word.ts';
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
  const view = toSchemaView(definition.schema, 'input');
  return view === undefined ? toGroupField([]) : toRootField(toShape(view.json));
}
