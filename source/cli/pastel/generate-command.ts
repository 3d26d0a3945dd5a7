import type { CommandModule, CommandOutline, OperandOutline, OptionOutline } from 'capix:commands';
import { Argument, type Command, Option } from 'commander';
import type * as z from 'zod';
import { terminal } from '../../terminal/terminal.ts';
import { usageError } from '../errors/cli-error.ts';
import { runCommand } from '../run-command.ts';
import { toCommandHelp } from './commander.ts';
import { currentRun } from './current-run.ts';

/**
 * Stands in for the function of Pastel that makes a command of Commander from the schemas of its module. The build had Pastel do that (see
 * `scripts/outline-commands.mjs`), and the module with its schemas, and zod with them, is loaded when the command runs: `--help` needs none, and
 * no run needs those of the other commands.
 */
export default function generateCommand(command: Command, outline: CommandOutline): void {
  const { description, alias, options = [], operands = [], load } = outline;
  command.helpOption('-h, --help', 'Show help');
  if (description !== undefined) command.description(description);
  if (alias !== undefined) command.alias(alias);
  for (const option of options) command.addOption(toOption(option));
  for (const operand of operands) command.addArgument(toArgument(operand));
  if (load === undefined) return;
  command.action((...input: unknown[]) => {
    currentRun.finished = load().then((module) => runModule(module, input));
  });
}

function toOption({ flags, description, defaultValue, defaultText, choices, isNumber }: OptionOutline): Option {
  const option = new Option(flags, description);
  if (isNumber) option.argParser(Number);
  if (choices !== undefined) option.choices(choices);
  return defaultValue === undefined ? option : option.default(defaultValue, defaultText);
}

function toArgument({ name, description, defaultValue, defaultText, choices, isNumber }: OperandOutline): Argument {
  const argument = new Argument(name, description);
  if (isNumber) argument.argParser(Number);
  if (choices !== undefined) argument.choices(choices);
  return defaultValue === undefined ? argument : argument.default(defaultValue, defaultText);
}

/** `input`: the operands, the options and the command, as Commander gives them to an action. */
function runModule(module: CommandModule, input: readonly unknown[]): Promise<number | undefined> {
  const command = input.at(-1) as Command;
  const operands = input.slice(0, -2);
  const isVariadic = command.registeredArguments.some(({ variadic }) => variadic);
  return runCommand(module.default, {
    options: parseValues(module.options, input.at(-2)) ?? {},
    args: (parseValues(module.args, isVariadic ? operands.flat() : operands) as readonly unknown[] | undefined) ?? [],
    words: command.args,
    terminal,
    help: toCommandHelp(command),
  });
}

/** @throws CliError for values that the schema refuses */
function parseValues(schema: z.ZodType | undefined, values: unknown): unknown {
  const result = schema?.safeParse(values);
  const issue = result?.error?.issues[0];
  if (issue !== undefined) throw usageError(toFlagMessage(issue));
  return result?.data;
}

/** `{path: ['maxItems'], message: 'Too big'}` gives `"option '--max-items': Too big"`. */
function toFlagMessage({ path: [place], message }: z.core.$ZodIssue): string {
  if (place === undefined) return message;
  if (typeof place === 'number') return `argument ${place + 1}: ${message}`;
  const flag = String(place).replace(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`);
  return `option '--${flag}': ${message}`;
}
