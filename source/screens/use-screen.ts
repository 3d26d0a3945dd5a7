import { createContext, useContext } from 'react';
import type { ScreenResult } from '../cli/command.ts';
import type { ProjectState } from '../load/project-state.ts';
import type { Problem } from '../manifest/problem.ts';
import type { EditedText, EditorPlace } from '../system/user-programs.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { HistoryEntry, Location } from './location.ts';
import type { PaletteCommand } from './palette.tsx';
import type { Prompts } from './prompts.tsx';

export interface ScreenContextValue extends Prompts {
  readonly terminal: Terminal;
  readonly project: ProjectState;
  /** The value of `--config`. */
  readonly config: string | undefined;
  /** The values of `--env-file`. */
  readonly envFile: readonly string[] | undefined;
  /** Keys of the capabilities that the last load brought or changed, for a moment. */
  readonly marks: ReadonlySet<string>;
  readonly findings: readonly Problem[] | undefined;
  /** The reason why the settings of the project cannot be read; there are none then. */
  readonly settingsProblem: string | undefined;
  readonly entry: HistoryEntry;
  readonly go: (route: Location) => void;
  /** As `go`, but the way back leads past this screen. */
  readonly replace: (route: Location) => void;
  readonly back: (() => void) | undefined;
  /** Says something for a moment in place of the key line. */
  readonly notify: (text: string) => void;
  readonly notice: string | undefined;
  /** Puts text on the clipboard, and says where that is. */
  readonly copy: (text: string, what: string) => void;
  /** Opens the source in the user's editor, with the screen out of its way. */
  readonly edit: (place: EditorPlace | undefined) => void;
  /** Gives the terminal back to the shell, until the user goes on with `fg`; undefined on Windows. */
  readonly stop: (() => void) | undefined;
  /** Has a text edited in the user's editor. Undefined where that went wrong, which a notice then says. */
  readonly editText: (text: EditedText) => Promise<string | undefined>;
  /** Shows a text in the user's pager, with the screen out of its way. */
  readonly openInPager: (text: Pick<EditedText, 'name' | 'text'>) => void;
  /** Ways to every screen and capability. */
  readonly commands: () => readonly PaletteCommand[];
  /** Adds a task for when the application ends. */
  readonly onClose: (task: () => void | Promise<void>) => void;
  /** Ends the application as `useApp().exit` of Ink does. */
  readonly exit: (result?: Error | ScreenResult) => void;
}

export const ScreenContext = createContext<ScreenContextValue | undefined>(undefined);

export function useScreen(): ScreenContextValue {
  const value = useContext(ScreenContext);
  if (value === undefined) throw new Error('A screen is drawn outside of the application.');
  return value;
}
