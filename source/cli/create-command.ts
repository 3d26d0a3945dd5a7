import { type Command, InvalidArgumentError, Option } from 'commander';
import type * as z from 'zod';
import { stripOutput } from '../patches/strip-output.ts';
import { showTypedKeys } from '../terminal/hand-over.ts';
import { passColorPreference, terminal } from '../terminal/terminal.ts';
import type { CommandAbout, CommandDefinition, PlainProps } from './command.ts';
import { toCommandHelp, toUsageError } from './commander.ts';

/** A command without its schemas, as `scripts/outline-commands.mjs` makes it. */
interface CommandOutline extends Omit<CommandAbout, 'details'> {
  readonly description: string;
  readonly options: readonly OptionOutline[];
  /** `{name: '<capability>'}`, `{name: '[input]'}` */
  readonly operands: readonly { readonly name: string; readonly description?: string }[];
  readonly load?: () => Promise<{ readonly default: CommandDefinition }>;
}

interface OptionOutline {
  /** `'-H, --header <name: value>'` */
  readonly flags: string;
  readonly description?: string;
  readonly defaultValue?: unknown;
  readonly choices?: readonly string[];
  readonly isNumber?: true;
  readonly isList?: true;
}

/** The run of the command. Pastel does not give its promise to its caller; there is one run per process. */
export const currentRun: { finished?: Promise<number | undefined> } = {};

/**
 * Stands in for the function of Pastel that makes a command of the schemas of its module: the build had Pastel do that,
 * and the module is loaded when the command runs.
 */
export default function generateCommand(command: Command, outline: CommandOutline): void {
  const {
    description,
    summary,
    usage,
    group,
    alias,
    examples,
    page,
    takesFlags,
    options,
    operands,
    load,
  } = outline;
  command.helpOption('-h, --help', 'Show help').summary(summary).description(description);
  if (page !== undefined) {
    pages.set(command, page);
    command.addHelpText('after', () => toPagesText(command, page));
  }
  command.addHelpText('after', toExamplesText(examples));
  if (takesFlags) command.allowUnknownOption().allowExcessArguments();
  if (usage !== undefined) command.usage(`[options] ${usage}`);
  if (group !== undefined) command.helpGroup(`${group}:`);
  if (alias !== undefined) command.alias(alias);
  for (const option of options) command.addOption(toOption(option, command));
  for (const { name, description: what } of operands) command.argument(name, what);
  if (load === undefined) return;
  command.action((...input: unknown[]) => {
    const { parent } = command;
    const early = parent?.options.find(
      (option) => parent.getOptionValueSource(option.attributeName()) === 'cli',
    );
    if (early !== undefined)
      throw toUsageError(`option '${early.long}' stands before the command, not after it`, command);
    currentRun.finished = load().then((module) => runDefinition(module.default, command, input));
  });
}

/** The pages of commands that have one. */
const pages = new WeakMap<Command, string>();

/** The page of a command; at the root, that of each command. */
function toPagesText(command: Command, own: string): string {
  if (command.parent !== null) return `\nPage:\n  docs/${own}, in the package`;
  const ofPages = new Map([[own, ['twenty questions, and all pages']]]);
  for (const each of command.commands) {
    const page = pages.get(each) ?? own;
    ofPages.set(page, [...(ofPages.get(page) ?? []), each.name()]);
  }
  const lines = [...ofPages].map(([page, names]) => `  ${page.padEnd(16)} ${names.join(', ')}`);
  return `\nPages, in docs/ of the package:\n${lines.join('\n')}`;
}

function toExamplesText(examples: readonly string[]): string {
  return `\n${examples.length > 1 ? 'Examples' : 'Example'}:\n${examples.map((line) => `  $ ${line}`).join('\n')}`;
}

/**
 * An option with a list takes one value each time that it occurs. Any other option occurs once, and takes no other
 * option as its value.
 */
function toOption(outline: OptionOutline, command: Command): Option {
  const { flags, description, defaultValue, choices, isList } = outline;
  const option = new Option(flags, description);
  // The schema fills in the others, which go without saying in the help.
  if (typeof defaultValue === 'string') option.default(defaultValue);
  // A switch whose own name begins with "no" is an option of its own: `--no-watch` beside `--watch <glob>`.
  if (option.negate && defaultValue === false) option.negate = false;
  if (option.isBoolean() || option.negate) return option;
  if (choices !== undefined) option.choices(choices);
  option.argParser((value: string, previous: unknown) => {
    const { long } = option;
    if (!isList && command.getOptionValueSource(option.attributeName()) === 'cli')
      throw toUsageError(`option '${long}' is given more than once, and takes one value`, command);
    if (command.options.some((other) => value === other.short || value === other.long))
      throw new InvalidArgumentError(
        `It is an option; the value is missing. Write ${long}=${value} if it is meant.`,
      );
    const parsed = parseValue(value, outline);
    return isList ? [...((previous as readonly unknown[] | undefined) ?? []), parsed] : parsed;
  });
  return option;
}

function parseValue(value: string, { choices, isNumber }: OptionOutline): string | number {
  if (choices !== undefined && !choices.includes(value))
    throw new InvalidArgumentError(`Allowed choices are ${choices.join(', ')}.`);
  if (!isNumber) return value;
  if (!/^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(value))
    throw new InvalidArgumentError('Expected a number.');
  return Number(value);
}

/**
 * Runs a command, as its screen or as text. Gives its exit code. `input`: the operands, the options and the command.
 */
async function runDefinition(
  definition: CommandDefinition,
  command: Command,
  input: readonly unknown[],
): Promise<number | undefined> {
  const props: PlainProps = {
    options: parseValues(definition.options, input.at(-2), command) ?? {},
    args:
      (parseValues(definition.args, input.slice(0, -2), command) as
        | readonly unknown[]
        | undefined) ?? [],
    words: command.args,
    terminal,
    help: toCommandHelp(command),
  };
  const { screen } = definition;
  if (screen === undefined || !opensScreen(props) || definition.isComplete?.(props)) {
    stripOutput();
    return (await (await definition.plain?.())?.default(props)) ?? undefined;
  }
  passColorPreference();
  // Ink does so with its first frame; what is typed before would be echoed into it.
  showTypedKeys(false);
  try {
    const [{ openScreen }, { default: Screen }] = await Promise.all([
      import('./open-screen.tsx'),
      screen(props),
    ]);
    return await openScreen(Screen, props);
  } finally {
    showTypedKeys(true);
  }
}

function parseValues(schema: z.ZodType | undefined, values: unknown, command: Command): unknown {
  const result = schema?.safeParse(values);
  const issue = result?.error?.issues[0];
  if (issue !== undefined) throw toUsageError(toFlagMessage(issue, command), command);
  return result?.data;
}

/** `{path: ['maxItems'], message: 'Too big'}` gives `"option '--max-items': Too big"`. */
function toFlagMessage({ path: [place], message }: z.core.$ZodIssue, command: Command): string {
  if (typeof place === 'number')
    return `argument '${command.registeredArguments[place]?.name()}': ${message}`;
  const flag = String(place).replace(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`);
  return `option '--${flag}': ${message}`;
}

function opensScreen({ options }: PlainProps): boolean {
  const { json = false, plain = false } = options as {
    readonly json?: boolean;
    readonly plain?: boolean;
  };
  return (
    terminal.isInteractive &&
    !json &&
    !plain &&
    ['', '0', undefined].includes(terminal.environment['CAPIX_PLAIN'])
  );
}
