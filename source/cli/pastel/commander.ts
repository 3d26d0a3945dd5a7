import { Command as CommanderCommand, type ErrorOptions, Help, type Option } from 'commander';
import { terminal } from '../../terminal/terminal.ts';
import { type CommandDescription, commandGroups } from '../command.ts';
import type { CommandHelp, CommandNode } from '../command-help.ts';
import { adaptOption } from './adapt-option.ts';
import { takeEarlierOptions } from './take-earlier-options.ts';
import { toUsageError } from './to-usage-error.ts';

export { Argument, Option } from 'commander';

/**
 * Stands in for Commander's Command where Pastel imports it (and only there; the build sees to it). It gives what
 * Pastel has no option for: options belong to the command that declares them, errors are `CliError`s with exit code 2,
 * the help has groups, a usage that reads `[group] <name>`, and examples.
 */
export class Command extends CommanderCommand {
  private examples: readonly string[] = [];

  constructor(name?: string) {
    super(name);
    this.enablePositionalOptions();
    this.exitOverride();
    this.configureOutput({
      writeOut: terminal.writeOut,
      writeErr: terminal.writeError,
      getOutHelpWidth: helpWidth,
      getErrHelpWidth: helpWidth,
    });
    this.configureHelp({ visibleCommands, optionDescription });
    this.addHelpText('after', () => toExamplesText(this.examples));
  }

  override description(): string;
  override description(text: string | CommandDescription): this;
  override description(text?: string | CommandDescription): this | string {
    if (text === undefined) return super.description();
    if (typeof text === 'string') return super.description(text);
    const { summary, details, usage, group, examples, takesFlags = false } = text;
    if (takesFlags) this.allowUnknownOption().allowExcessArguments();
    if (usage) this.usage(`[options] ${usage}`);
    if (group) this.helpGroup(`${group}:`);
    this.examples = examples;
    this.summary(summary);
    return super.description(details ?? summary);
  }

  override addOption(option: Option): this {
    return super.addOption(adaptOption(option, this));
  }

  override addCommand(command: CommanderCommand, options?: { isDefault?: boolean; hidden?: boolean }): this {
    super.addCommand(command, options);
    // The list is sorted in place: it is Commander's own, and the help takes the order of its groups from it.
    (this.commands as CommanderCommand[]).sort((a, b) => toGroupIndex(a) - toGroupIndex(b));
    return this;
  }

  override action(run: (...input: unknown[]) => void): this {
    return super.action((...input: unknown[]) => {
      takeEarlierOptions(this);
      run(...input);
    });
  }

  override error(message: string, options?: ErrorOptions): never {
    if (this.takesUnknownCommand(options?.code)) {
      // Declared private, but the one that knows Commander's suggestions.
      (this as unknown as { unknownCommand(): never }).unknownCommand();
    }
    throw toUsageError(message, this);
  }

  /** The root has commands and an action, so Commander takes an unknown command for an operand of the action. */
  private takesUnknownCommand(code: string | undefined): boolean {
    const isOperandError = code === 'commander.excessArguments' || code === 'commander.unknownOption';
    return isOperandError && this.commands.length > 0 && this.args[0]?.startsWith('-') === false;
  }
}

/** The help of a command, and the commands of the whole tool. */
export function toCommandHelp(command: CommanderCommand): CommandHelp {
  return {
    get commands() {
      return toSummaries(toRoot(command));
    },
    get text() {
      return captureHelp(command);
    },
    program: () => toCommandNode(toRoot(command)),
  };
}

function toRoot(command: CommanderCommand): CommanderCommand {
  let root = command;
  while (root.parent) root = root.parent;
  return root;
}

function toSummaries(program: CommanderCommand): CommandHelp['commands'] {
  const help = program.createHelp();
  return program.commands.map((child) => ({
    name: child.name(),
    alias: child.aliases()[0],
    usage: `${child.name()} ${child.usage()}`,
    summary: help.subcommandDescription(child),
    group: child.helpGroup().replace(/:$/, ''),
  }));
}

function toCommandNode(command: CommanderCommand): CommandNode {
  return {
    name: command.name(),
    alias: command.aliases()[0],
    summary: command.summary(),
    options: command.options.map(({ long, short, description, required, optional, argChoices }) => ({
      names: [long, short].filter((name) => typeof name === 'string'),
      summary: description,
      takesValue: required || optional,
      values: argChoices ?? [],
    })),
    commands: command.commands.map(toCommandNode),
  };
}

function captureHelp(command: CommanderCommand): string {
  let text = '';
  command.configureOutput({ writeOut: (part) => void (text += part) }).outputHelp();
  return text;
}

/** Without Commander's own `help`, which works as well as `--help` and needs no line. */
function visibleCommands(command: CommanderCommand): CommanderCommand[] {
  return [...command.commands];
}

/** Without `(default: false)`, which is what a switch is for. */
function optionDescription(option: Option): string {
  const { defaultValue } = option;
  const goesWithoutSaying = defaultValue === false || (Array.isArray(defaultValue) && defaultValue.length === 0);
  return new Help().optionDescription(goesWithoutSaying ? Object.create(option, { defaultValue: {} }) : option);
}

/** Commander wraps at 80 columns where there is no terminal; a pipe wants whole lines. */
function helpWidth(): number {
  return terminal.isInteractive ? terminal.size().columns : 10_000;
}

function toGroupIndex(command: CommanderCommand): number {
  const index = commandGroups.findIndex((group) => command.helpGroup() === `${group}:`);
  return index === -1 ? commandGroups.length : index;
}

function toExamplesText(examples: readonly string[]): string {
  if (examples.length === 0) return '';
  return `\n${examples.length > 1 ? 'Examples' : 'Example'}:\n${examples.map((line) => `  $ ${line}`).join('\n')}`;
}
