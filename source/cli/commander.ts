import { Command as CommanderCommand, type ErrorOptions } from 'commander';
import { terminal } from '../terminal/terminal.ts';
import { type CliError, usageError } from './cli-error.ts';
import type { CommandHelp } from './command.ts';

/**
 * Stands in for Commander's Command where Pastel imports it: options belong to the command that declares them, and
 * errors are `CliError`s with exit code 2.
 */
export class Command extends CommanderCommand {
  constructor(name?: string) {
    super(name);
    // Commander's own `help` works as well as `--help`, and needs no line.
    const visibleCommands = (command: CommanderCommand): CommanderCommand[] => [
      ...command.commands,
    ];
    this.enablePositionalOptions().exitOverride().configureHelp({ visibleCommands });
    this.configureOutput({
      writeOut: terminal.writeOut,
      writeErr: terminal.writeError,
      getOutHelpWidth: helpWidth,
      getErrHelpWidth: helpWidth,
    });
  }

  override error(message: string, { code }: ErrorOptions = {}): never {
    const isOfOperand = code === 'commander.excessArguments' || code === 'commander.unknownOption';
    // The root has commands and an action, so Commander takes an unknown command for an operand of the action.
    if (isOfOperand && this.commands.length > 0 && this.args[0]?.startsWith('-') === false) {
      // Declared private, but the one that knows Commander's suggestions.
      (this as unknown as { unknownCommand(): never }).unknownCommand();
    }
    throw toUsageError(message, this);
  }
}

/** Commander wraps at 80 columns where there is no terminal; a pipe wants whole lines. */
function helpWidth(): number {
  return terminal.isInteractive ? terminal.size().columns : 10_000;
}

/**
 * `error: unknown command 'lst'\n(Did you mean list?)` gives the message `unknown command 'lst'` and the hint ``Did you
 * mean `list`?``. Without a suggestion, the hint is the help of the command.
 */
export function toUsageError(text: string, command: CommanderCommand): CliError {
  const [first = '', ...rest] = text.replace(/^error: /, '').split('\n');
  const names = /\(Did you mean (?:one of )?(.+)\?\)$/.exec(rest.join(' '))?.[1]?.split(', ');
  const path = toLine(command).map((one) => one.name());
  const hint = names
    ? `Did you mean ${names.map((name) => `\`${name}\``).join(' or ')}?`
    : `Run \`${path.join(' ')} --help\` to see how it is used.`;
  return usageError(first, hint);
}

function toLine(command: CommanderCommand): readonly [CommanderCommand, ...CommanderCommand[]] {
  return command.parent ? [...toLine(command.parent), command] : [command];
}

/** The help of a command, and the commands of the whole tool. */
export function toCommandHelp(command: CommanderCommand): CommandHelp {
  return {
    get text() {
      let text = '';
      const writeOut = (part: string): void => {
        text += part;
      };
      command.configureOutput({ writeOut }).outputHelp();
      return text;
    },
    program: () => toLine(command)[0],
  };
}
