import type { ComponentType } from 'react';
import type * as z from 'zod';
import type { Terminal } from '../terminal/terminal.ts';
import type { CommandHelp } from './command-help.ts';

/** The options and operands of the command line, parsed and validated by the schemas of the command. */
export interface CommandInput<Options, Args> {
  readonly options: Options;
  /** The operands in order; `undefined` where an optional one is missing. */
  readonly args: Args;
  /** All operands as written; of a command that `takesFlags` with those that no option has taken. */
  readonly words: readonly string[];
}

export interface PlainProps<Options = unknown, Args = readonly unknown[]> extends CommandInput<Options, Args> {
  readonly terminal: Terminal;
  /** The help of this command, and the commands of the tool. */
  readonly help: CommandHelp;
}

/**
 * The command without a screen: writes through `terminal`, ends by returning. Returns the exit code, 0 where it returns
 * nothing; throws a `CliError` where it fails. The process ends when it returns, whatever user code left open.
 */
export type PlainCommand<Options = unknown, Args = readonly unknown[]> = (
  props: PlainProps<Options, Args>,
) => Promise<number | void> | number | void;

/**
 * Props of a screen. It fills the alternate screen, and ends with Ink's `useApp().exit(result)`: an `Error` is reported
 * as if a plain command had thrown it, a `ScreenResult` says the rest. Ctrl-C ends every screen with exit code 130.
 */
export interface ScreenProps<Options = unknown, Args = readonly unknown[]> extends PlainProps<Options, Args> {
  /** Adds a task that is awaited after the screen has closed, however it closed; the last one added runs first. */
  readonly onClose: (task: () => void | Promise<void>) => void;
}

/** Starts what takes long and needs no screen, while what draws the screen is imported. */
export type BeginScreen<Options = unknown, Args = readonly unknown[]> = (props: PlainProps<Options, Args>) => void;

export interface ScreenResult {
  /** @default 0 */
  readonly exitCode?: number;
  /** Text written to stdout when the terminal is as it was before: what the user should still see. */
  readonly message?: string;
}

export interface CommandDefinition<Options = unknown, Args = readonly unknown[]> {
  /** Imports the command without a screen; its default export runs. */
  readonly plain: () => Promise<{ readonly default: PlainCommand<Options, Args> }>;
  /** Imports the beginning of the screen. */
  readonly begin?: () => Promise<{ readonly default: BeginScreen }>;
  /** Imports the screen, which opens in a terminal unless `--json` or `--plain` is given. */
  readonly screen?: () => Promise<{ readonly default: ComponentType<ScreenProps<Options, Args>> }>;
  /** Whether the command line leaves nothing to ask or see: it runs without its screen. @default never */
  readonly isComplete?: (input: CommandInput<Options, Args>) => boolean;
}

/** The schemas that the command module exports for Pastel; here they only type the props. */
interface CommandSchemas<Options extends z.ZodType, Args extends z.ZodType> {
  readonly options?: Options;
  readonly args?: Args;
}

/**
 * The default export of a file in `commands/`: where its code is, loaded only when the command runs.
 *
 *     export default command({
 *       options,
 *       args,
 *       plain: () => import('../source/list/show-command.ts'),
 *       screen: () => import('../source/list/show-screen.tsx'),
 *     });
 */
export function command<Options extends z.ZodType = z.ZodObject, Args extends z.ZodType = z.ZodTuple<[]>>(
  definition: CommandDefinition<z.infer<Options>, z.infer<Args>> & CommandSchemas<Options, Args>,
): CommandDefinition {
  // Pastel validates with the exported schemas before it runs the command, so the props do have these types.
  return definition as unknown as CommandDefinition;
}

/** Headings of the root help, in their order. */
export const commandGroups = ['Project', 'Inspect', 'Generate', 'Serve'] as const;

export interface CommandDescription {
  /** One line for the list of commands, without a full stop. */
  readonly summary: string;
  /** Heading that it stands under in the list of its parent. */
  readonly group?: (typeof commandGroups)[number];
  /** Paragraphs after the usage line, where the summary does not say enough. @default the summary */
  readonly details?: string;
  /** Operands as they should read, where the order of the schema cannot say it: `'[group] <name>'`. */
  readonly usage?: string;
  /** Whether it takes flags that only the project knows, such as the fields of a capability. @default false */
  readonly takesFlags?: boolean;
  /** Whole command lines, at least one: `'capix show items.getItem'`. They end the help. */
  readonly examples: readonly string[];
}

/** Types the `description` export of a command. */
export function describeCommand(description: CommandDescription): CommandDescription {
  return description;
}
