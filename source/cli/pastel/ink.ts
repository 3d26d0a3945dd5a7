import { terminal } from '../../terminal/terminal.ts';
import type { CommandDefinition, CommandInput } from '../command.ts';
import { usageError } from '../errors/cli-error.ts';
import { runCommand } from '../run-command.ts';
import { toCommandHelp } from './commander.ts';
import { currentRun } from './current-run.ts';

interface CommandElement {
  readonly props: {
    readonly Component: CommandDefinition;
    readonly commandProps: Omit<CommandInput<unknown, readonly unknown[]>, 'words'>;
  };
}

/** The message that Pastel draws when a schema refuses the options or the operands. */
interface MessageElement {
  readonly props: { readonly children: string };
}

/**
 * Stands in for Ink where Pastel imports it (and only there; the build sees to it). Pastel calls it once a run: to draw the component of
 * the command, which here starts the command and loads Ink only for a screen, or to draw a message about invalid values, which here
 * is a usage error as any other: on stderr, with exit code 2.
 */
export function render(element: CommandElement | MessageElement): void {
  if ('children' in element.props) throw usageError(toFlagMessage(element.props.children));
  const { Component, commandProps } = element.props;
  const { command } = currentRun;
  if (!command) throw new Error('Pastel rendered a command that Commander did not run.');
  currentRun.finished = runCommand(Component, {
    ...commandProps,
    words: command.args,
    terminal,
    help: toCommandHelp(command),
  });
}

/** `'Too small: expected number to be >=1 at "maxItems"'` gives `"option '--max-items': too small: …"`. */
function toFlagMessage(message: string): string {
  const place = / at "([^"]+)"$/.exec(message);
  if (!place?.[1]) return message;
  const problem = message.slice(0, place.index);
  const index = /^\[?(\d+)\]?/.exec(place[1]);
  if (index) return `argument ${Number(index[1]) + 1}: ${problem}`;
  const flag = place[1].replace(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`);
  return `option '--${flag}': ${problem}`;
}
