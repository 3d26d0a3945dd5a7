import type { Command } from 'commander';
import { type CliError, usageError } from '../cli-error.ts';

/**
 * Commander's message as our error: `error: unknown command 'lst'\n(Did you mean list?)` gives the message `unknown command 'lst'` and the
 * hint ``Did you mean `list`?``. Where Commander suggests nothing, the hint is the help of the command.
 */
export function toUsageError(text: string, command: Command): CliError {
  const [first = '', ...rest] = text.replace(/^error: /, '').split('\n');
  const suggestion = /^\(Did you mean (?:one of )?(.+)\?\)$/.exec(rest.join(' '))?.[1];
  const hint = suggestion ? `Did you mean ${suggestion.split(', ').map(quote).join(' or ')}?` : toHint(first, command);
  return usageError(toMissingName(first, command), hint);
}

function toHint(message: string, command: Command): string {
  const path = toPath(command);
  const option = /^unknown option '(.+)'$/.exec(message)?.[1];
  if (option && command.commands.length > 0)
    return `Options come after the command: ${quote(`${path} <command> ${option}`)}.`;
  return `Run ${quote(`${path} --help`)} to see how it is used.`;
}

/** Where the operands read `[group] <name>`, the one that is missing is `name`, though the schema has `group` first. */
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
