import type { CommandModule, CommandOutline, OperandOutline, OptionOutline } from 'capix:commands';
import { Argument, type Command, Option } from 'commander';
import type * as z from 'zod';
import { stripOutput } from '../../patches/strip-output.ts';
import { applyColorPreference } from '../../terminal/apply-color-preference.ts';
import { terminal } from '../../terminal/terminal.ts';
import { showTypedKeys } from '../../terminal/typed-keys.ts';
import { usageError } from '../cli-error.ts';
import type { CommandDefinition, PlainProps } from '../command.ts';
import { currentRun } from '../current-run.ts';
import { type Command as OwnCommand, toCommandHelp } from './commander.ts';

/**
 * Stands in for the function of Pastel that makes a command of Commander from the schemas of its module. The build had
 * Pastel do that (see `scripts/outline-commands.mjs`), and the module with its schemas, and zod with them, is loaded
 * when the command runs: `--help` needs none, and no run needs those of the other commands.
 */
export default function generateCommand(command: Command, outline: CommandOutline): void {
  const { description, alias, options = [], operands = [], load } = outline;
  command.helpOption('-h, --help', 'Show help');
  if (description !== undefined) (command as OwnCommand).description(description);
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

/** Runs a command: its screen where somebody is there to see it, else its text. Gives its exit code, if any. */
async function runCommand(definition: CommandDefinition, props: PlainProps): Promise<number | undefined> {
  if (definition.screen && opensScreen(props) && !definition.isComplete?.(props)) {
    return runScreen(definition, definition.screen, props);
  }
  stripOutput();
  const { default: plain } = await definition.plain();
  return (await plain(props)) ?? undefined;
}

async function runScreen(
  { begin }: CommandDefinition,
  screen: NonNullable<CommandDefinition['screen']>,
  props: PlainProps,
): Promise<number> {
  applyColorPreference();
  // Ink does so with its first frame; what is typed before would be echoed into it.
  showTypedKeys(false);
  try {
    (await begin?.())?.default(props);
    const { openScreen } = await import('../open-screen.tsx');
    const { default: Screen } = await screen();
    return await openScreen(Screen, props);
  } finally {
    showTypedKeys(true);
  }
}

function opensScreen({ options, terminal }: PlainProps): boolean {
  const { json = false, plain = false } = options as { readonly json?: boolean; readonly plain?: boolean };
  const { CAPIX_PLAIN } = terminal.environment;
  const wantsText = json || plain || (CAPIX_PLAIN !== undefined && CAPIX_PLAIN !== '' && CAPIX_PLAIN !== '0');
  return terminal.isInteractive && !wantsText;
}
