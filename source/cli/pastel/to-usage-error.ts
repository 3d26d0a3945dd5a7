import type { Command, Option } from 'commander';
import { type CliError, usageError } from '../cli-error.ts';

/**
 * Commander's message as our error: `error: unknown command 'lst'\n(Did you mean list?)` gives the message `unknown
 * command 'lst'` and the hint ``Did you mean `list`?``. Where Commander suggests nothing, the hint is the help of the
 * command.
 */
export function toUsageError(text: string, command: Command): CliError {
  const [first = '', ...rest] = text.replace(/^error: /, '').split('\n');
  const hint = toSuggestion(rest.join(' ')) ?? `Run ${quote(`${toPath(command)} --help`)} to see how it is used.`;
  return usageError(toMissingName(first, command), hint);
}

/** The error for an option that takes one value and was given another. */
export function givenTwice({ long }: Option, command: Command): CliError {
  return toUsageError(`option '${long}' is given more than once, and takes one value`, command);
}

/** `'(Did you mean one of a, b?)'` gives ``'Did you mean `a` or `b`?'``. */
function toSuggestion(text: string): string | undefined {
  const names = /\(Did you mean (?:one of )?(.+)\?\)$/.exec(text)?.[1];
  return names && `Did you mean ${names.split(', ').map(quote).join(' or ')}?`;
}

/** The operand that is missing from `[group] <name>` is `name`, though the schema has `group` first. */
function toMissingName(message: string, command: Command): string {
  const missing = /^missing required argument '(.+)'$/.exec(message)?.[1];
  const needed = /<([\w-]+)>/.exec(command.usage())?.[1];
  const isOptional = missing !== undefined && command.usage().includes(`[${missing}]`);
  return isOptional && needed ? `missing required argument '${needed}'` : message;
}

function toPath(command: Command): string {
  const path: string[] = [];
  for (let current: Command | null = command; current; current = current.parent) path.unshift(current.name());
  return path.join(' ');
}

function quote(text: string): string {
  return `\`${text}\``;
}
