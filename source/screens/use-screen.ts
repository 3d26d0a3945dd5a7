import { createContext, useContext } from 'react';
import type { ScreenResult } from '../cli/command.ts';
import type { ProjectState } from '../load/project-state.ts';
import type { Problem } from '../manifest/check-rules.ts';
import type { EditedText, EditorPlace } from '../system/user-programs.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { HistoryEntry, Location } from './location.ts';
import type { PaletteCommand } from './palette.tsx';
import type { Asks, Prompt } from './prompts.tsx';

/** What the application does for its screens; the same object until it ends. */
export interface Services extends Asks {
  readonly terminal: Terminal;
  /** The value of `--config`. */
  readonly config: string | undefined;
  /** The values of `--env-file`. */
  readonly envFile: readonly string[] | undefined;
  /** Says something for a moment in place of the key line. */
  readonly notify: (text: string) => void;
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
  /** Gives the one value of the application that `create`, a constant, makes of what its first call needs. */
  readonly share: <Needs, Value>(create: (needs: Needs) => Value, needs: Needs) => Value;
  /** Adds a task for when the application ends. */
  readonly onClose: (task: () => void | Promise<void>) => void;
  /** Ends the application as `useApp().exit` of Ink does. */
  readonly exit: (result?: Error | ScreenResult) => void;
}

/** Where the user is, and the ways to other screens. */
export interface Navigation {
  readonly entry: HistoryEntry;
  readonly go: (route: Location) => void;
  /** As `go`, but the way back leads past this screen. */
  readonly replace: (route: Location) => void;
  readonly back: (() => void) | undefined;
  /** Ways to every screen and capability. */
  readonly commands: () => readonly PaletteCommand[];
}

/** The project as of its last load. */
export interface OpenProject {
  readonly project: ProjectState;
  /** Keys of the capabilities that the last load brought or changed, for a moment. */
  readonly marks: ReadonlySet<string>;
  readonly findings: readonly Problem[] | undefined;
  /** The reason why the settings of the project cannot be read; there are none then. */
  readonly settingsProblem: string | undefined;
}

/** What stands on the last rows of the screen; only its frame draws it. */
export interface Talk {
  readonly notice: string | undefined;
  readonly prompt: Prompt | undefined;
}

export const ServicesContext = createContext<Services | undefined>(undefined);
export const NavigationContext = createContext<Navigation | undefined>(undefined);
export const ProjectContext = createContext<OpenProject | undefined>(undefined);
export const TalkContext = createContext<Talk>({ notice: undefined, prompt: undefined });

export function useServices(): Services {
  return expectDrawn(useContext(ServicesContext));
}

export function useNavigation(): Navigation {
  return expectDrawn(useContext(NavigationContext));
}

export function useProject(): OpenProject {
  return expectDrawn(useContext(ProjectContext));
}

export function useTalk(): Talk {
  return useContext(TalkContext);
}

function expectDrawn<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('A screen is drawn outside of the application.');
  return value;
}
