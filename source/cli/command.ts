import type { Command } from 'commander';
import type { ComponentType } from 'react';
import type * as z from 'zod';
import type { Terminal } from '../terminal/terminal.ts';

export interface CommandInput<Options, Args> {
  readonly options: Options;
  /** The operands in order; `undefined` where an optional one is missing. */
  readonly args: Args;
  /** All operands as written; of a command that `takesFlags` with those that no option has taken. */
  readonly words: readonly string[];
}

export interface PlainProps<Options = unknown, Args = readonly unknown[]>
  extends CommandInput<Options, Args> {
  readonly terminal: Terminal;
  readonly help: CommandHelp;
}

/** The command without a screen. Gives the exit code, and throws a `CliError` where it fails. @default 0 */
export type PlainCommand<Options = unknown, Args = readonly unknown[]> = (
  props: PlainProps<Options, Args>,
) => Promise<number | void> | number | void;

/** Props of a screen, which ends with Ink's `useApp().exit(result)`: an `Error`, or a `ScreenResult`. */
export interface ScreenProps<Options = unknown, Args = readonly unknown[]>
  extends PlainProps<Options, Args> {
  /** Adds a task that is awaited after the screen has closed, however it closed; the last one added runs first. */
  readonly onClose: (task: () => void | Promise<void>) => void;
}

export interface ScreenResult {
  readonly exitCode?: number;
  /** Text written to stdout when the terminal is as it was before: what the user should still see. */
  readonly message?: string;
}

export interface CommandAbout {
  /** One line for the list of commands, without a full stop. */
  readonly summary: string;
  readonly alias?: string;
  /** Heading that it stands under in the list of its parent. */
  readonly group?: 'Project' | 'Inspect' | 'Generate' | 'Serve';
  /** Paragraphs after the usage line, where the summary does not say enough. @default the summary */
  readonly details?: string;
  /** Operands as they should read, where the schema cannot say it: `'[group] <name>'`. */
  readonly usage?: string;
  /** Whether it takes flags that only the project knows, such as the fields of a capability. @default false */
  readonly takesFlags?: boolean;
  /** The page of `docs/` that describes it. */
  readonly page?: string;
  readonly examples: readonly string[];
}

/** The default export of a file in `commands/`, made by `command`: what is imported later is loaded when it runs. */
export interface CommandDefinition<Options = unknown, Args = readonly unknown[]>
  extends CommandAbout {
  readonly options?: z.ZodType;
  readonly args?: z.ZodType;
  /** Imports the command without a screen; its default export runs. Missing where there are only others under it. */
  readonly plain?: () => Promise<{ readonly default: PlainCommand<Options, Args> }>;
  /** Imports the screen, which opens in a terminal unless `--json` or `--plain` is among the arguments. */
  readonly screen?: (
    props: PlainProps,
  ) => Promise<{ readonly default: ComponentType<ScreenProps<Options, Args>> }>;
  /** Whether the command line leaves nothing to ask or see: it runs without its screen. @default never */
  readonly isComplete?: (input: CommandInput<Options, Args>) => boolean;
}

export interface CommandHelp {
  readonly text: string;
  /** All commands of the tool. */
  readonly program: () => CommandNode;
}

/** A command with its options and what may stand behind it, as Commander has it. */
export type CommandNode = Command;
