import type { CommandNode, NodeOption } from '../cli/command-help.ts';
import type { ManifestCapability } from '../manifest/manifest.ts';
import type { FormField } from '../shape/form-field.ts';
import { toShape } from '../shape/read/to-shape.ts';
import { toRootField } from '../shape/root-field.ts';
import { type FieldFlag, toFieldFlags } from '../shape/to-field-flags.ts';

/** A word that may stand next, and what it is. */
export interface Candidate {
  readonly word: string;
  readonly told: string;
}

export interface CompletionFacts {
  /** The tool itself. */
  readonly program: CommandNode;
  /** The capabilities of the project; none where it does not load. */
  readonly capabilities: readonly ManifestCapability[];
  /** Names of its saved calls. */
  readonly saved: readonly string[];
}

/** The words that may stand where the last one of `words` is typed. `words`: behind `capix`, the last one may be empty. */
export function completeWords(words: readonly string[], facts: CompletionFacts): readonly Candidate[] {
  const typed = words.at(-1) ?? '';
  const before = words.slice(0, -1);
  return findCandidates(before, typed, facts).filter(({ word }) => word.startsWith(typed));
}

function findCandidates(
  before: readonly string[],
  typed: string,
  { program, capabilities, saved }: CompletionFacts,
): readonly Candidate[] {
  const { command, operands } = findCommand(program, before);
  const takesKey = command.name === 'call' || command.name === 'show';
  const flags = command.name === 'call' ? toCallFlags(capabilities.find(({ key }) => key === operands[0])) : [];
  const last = before.at(-1) ?? '';
  const option = command.options.find(({ names }) => names.includes(last));
  if (option?.takesValue) return option.values.map((word) => ({ word, told: option.summary }));
  const flag = flags.find((one) => one.flag === last);
  if (flag !== undefined && flag.field.kind.kind !== 'toggle') return toValues(flag.field);
  if (typed.startsWith('-')) return [...flags.map(toFlagCandidate), ...command.options.flatMap(toOptionCandidates)];
  if (command.commands.length > 0 && operands.length === 0)
    return command.commands.map(({ name, summary }) => ({ word: name, told: summary }));
  if (!takesKey || operands.length > 0) return [];
  const keys = capabilities.map(({ key, description, method, path }) => ({
    word: key,
    told: description ?? `${method} ${path}`,
  }));
  const names = command.name === 'call' ? saved.map((name) => ({ word: `@${name}`, told: 'saved call' })) : [];
  return [...keys, ...names];
}

/** The innermost command that the words name, and what stands behind it that is neither an option nor the value of one. */
function findCommand(
  program: CommandNode,
  words: readonly string[],
): { readonly command: CommandNode; readonly operands: readonly string[] } {
  let command = program;
  const operands: string[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? '';
    const option = command.options.find(({ names }) => names.includes(word));
    if (option?.takesValue) at++;
    if (word.startsWith('-')) continue;
    const inner = command.commands.find(({ name, alias }) => name === word || alias === word);
    if (inner === undefined || operands.length > 0) operands.push(word);
    else command = inner;
  }
  return { command, operands };
}

function toCallFlags(capability: ManifestCapability | undefined): readonly FieldFlag[] {
  return capability?.input === undefined ? [] : toFieldFlags(toRootField(toShape(capability.input.json)));
}

function toFlagCandidate({ flag, field, isRequired }: FieldFlag): Candidate {
  const told = [isRequired ? `${field.type}, required` : field.type, field.note].filter((text) => text !== '');
  return { word: flag, told: told.join(', ') };
}

function toOptionCandidates({ names, summary }: NodeOption): readonly Candidate[] {
  return names.filter((name) => name.startsWith('--')).map((word) => ({ word, told: summary }));
}

/** The values that a field can have, where they can be counted. */
function toValues({ kind, type }: FormField): readonly Candidate[] {
  const toCandidate = (word: string): Candidate => ({ word, told: type });
  if (kind.kind === 'list') return toValues(kind.item());
  if (kind.kind === 'toggle') return ['true', 'false'].map(toCandidate);
  if (kind.kind !== 'picker') return [];
  return kind.values.map((value) => toCandidate(typeof value === 'string' ? value : JSON.stringify(value)));
}
