import { useApp } from 'ink';
import {
  type ComponentType,
  useCallback,
  useDeferredValue,
  useEffect,
  useInsertionEffect,
  useMemo,
  useReducer,
  useRef,
  useState,
} from 'react';
import CallScreen from '../call/call-screen.tsx';
import { checkProject } from '../check/check-project.ts';
import CheckScreen from '../check/check-screen.tsx';
import type { ScreenProps } from '../cli/command.ts';
import DevScreen from '../dev/screen/dev-screen.tsx';
import DiffScreen from '../diff/diff-screen.tsx';
import GenerateScreen from '../generate/generate-screen.tsx';
import HomeScreen from '../home/home-screen.tsx';
import { UiRoot } from '../kit/ui-root.tsx';
import { MemoryContext } from '../kit/use-memory.ts';
import ListScreen from '../list/list-screen.tsx';
import ShowScreen from '../list/show-screen.tsx';
import { useSettings } from '../load/settings/use-settings.ts';
import { type ProjectStore, useProjectStore } from '../load/project-store.ts';
import { toCapabilities } from '../manifest/listed.ts';
import type { Manifest } from '../manifest/manifest.ts';
import NewScreen from '../new/new-screen.tsx';
import OpenApiScreen from '../openapi/openapi-screen.tsx';
import { currentEntry, type Location, moveInHistory, toHistory } from '../screens/location.ts';
import type { PaletteCommand } from '../screens/palette.tsx';
import { usePrompts } from '../screens/prompts.tsx';
import { useMarks, useNotice } from '../screens/use-marks.ts';
import { ScreenContext, type ScreenContextValue } from '../screens/use-screen.ts';
import { copyToClipboard } from '../system/copy-to-clipboard.ts';
import {
  type EditedText,
  type EditorPlace,
  editInEditor,
  openEditor,
  openInPager,
} from '../system/user-programs.ts';
import { canStop, catchStop, stopUntilContinued } from '../terminal/stop-until-continued.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { stopReadingKeys } from '../terminal/typed-keys.ts';

/** The first screen, and the project of all of them. */
export interface AppStart {
  readonly route: Location;
  readonly config: string | undefined;
  readonly envFile: readonly string[] | undefined;
  readonly store: ProjectStore;
}

export function startAt(start: AppStart): { readonly default: ComponentType<ScreenProps> } {
  return { default: (props) => <AppScreen {...props} {...start} /> };
}

const screens: { readonly [Screen in Location['screen']]?: ComponentType } = {
  home: HomeScreen,
  list: ListScreen,
  show: ShowScreen,
  check: CheckScreen,
  call: CallScreen,
  dev: DevScreen,
  generate: GenerateScreen,
  openapi: OpenApiScreen,
  diff: DiffScreen,
  new: NewScreen,
};

/** The terminal application: one project, which stays loaded, and the screens that lead to each other. */
function AppScreen({ route, config, envFile, store, terminal, onClose }: ScreenProps & AppStart) {
  const { exit } = useApp();
  const [history, dispatch] = useReducer(moveInHistory, route, toHistory);
  const project = useProjectStore(store);
  const { manifest, noProject } = project;
  useEffect(() => {
    if (noProject !== undefined && needsProject(route)) exit(noProject);
  }, [noProject, route, exit]);
  const [notice, notify] = useNotice();
  const { edit, ...handedOver } = useEditor(terminal, notify);

  const entry = currentEntry(history);
  const go = useCallback((next: Location) => dispatch({ kind: 'go', route: next }), []);
  const value: ScreenContextValue = {
    terminal,
    project,
    config,
    envFile,
    marks: useMarks(project),
    ...useFindings(project.manifest),
    entry,
    go,
    replace: (next) => dispatch({ kind: 'replace', route: next }),
    back: history.length > 1 ? () => dispatch({ kind: 'back' }) : undefined,
    notify,
    notice,
    ...usePrompts(),
    copy: (text, what) => {
      void copyToClipboard(text, terminal).then((place) =>
        notify(
          place === undefined
            ? `Sent ${what} to the terminal, for its clipboard`
            : `Copied ${what} to ${place}`,
        ),
      );
    },
    edit: (place) =>
      edit(place && { ...place, file: toAbsolute(place.file, manifest?.project.root) }),
    ...handedOver,
    commands: useCallback(() => toPaletteCommands(manifest, go), [manifest, go]),
    onClose,
    exit,
  };
  const Screen = screens[entry.route.screen] ?? HomeScreen;
  return (
    <UiRoot terminal={terminal}>
      <ScreenContext value={value}>
        <MemoryContext value={entry.memory}>
          <Screen key={entry.id} />
        </MemoryContext>
      </ScreenContext>
    </UiRoot>
  );
}

/** Home works without a project, `new` makes one, `dev` runs any server, and `diff` takes two documents. */
function needsProject(route: Location): boolean {
  if (route.screen === 'diff') return route.after === undefined;
  return route.screen !== 'home' && route.screen !== 'new' && route.screen !== 'dev';
}

function toAbsolute(file: string, root = ''): string {
  return /^(\/|[a-zA-Z]:)/.test(file) ? file : `${root}/${file}`;
}

function useEditor(terminal: Terminal, notify: (text: string) => void) {
  const handOver = useHandOver();
  const start = (task: () => Promise<string | undefined>): void =>
    handOver(async () => {
      const failure = await task();
      if (failure !== undefined) notify(failure);
    });
  return {
    edit: (place: EditorPlace | undefined): void => {
      if (place === undefined) notify('The source of this line is not known');
      else start(() => openEditor(place, terminal));
    },
    openInPager: (text: Pick<EditedText, 'name' | 'text'>): void =>
      start(() => openInPager(text, terminal)),
    stop: canStop() ? () => handOver(stopUntilContinued) : undefined,
    editText: (text: EditedText): Promise<string | undefined> =>
      new Promise((resolve) =>
        start(async () => {
          const edited = await editInEditor(text, terminal);
          resolve('failure' in edited ? undefined : edited.text);
          return 'failure' in edited ? edited.failure : undefined;
        }),
      ),
  };
}

function toPaletteCommands(
  manifest: Manifest | undefined,
  go: (route: Location) => void,
): readonly PaletteCommand[] {
  const to = (title: string, detail: string, route: Location): PaletteCommand => ({
    id: title,
    title,
    detail,
    run: () => go(route),
  });
  const home = to('home', 'what this project is', { screen: 'home' });
  const create = to('new', 'a new project', { screen: 'new' });
  if (manifest === undefined) return [home, create];
  return [
    home,
    to('list', 'all capabilities', { screen: 'list' }),
    to('check', 'problems', { screen: 'check' }),
    to('dev', 'the server while you work', { screen: 'dev' }),
    to('generate capability', 'a new capability', { screen: 'generate', kind: 'capability' }),
    to('generate group', 'a new group', { screen: 'generate', kind: 'group' }),
    to('openapi', 'the OpenAPI document', { screen: 'openapi' }),
    to('diff', 'compare with the last commit', { screen: 'diff' }),
    create,
    ...toCapabilities(manifest).flatMap(({ key, method, path }) => [
      to(`show ${key}`, `${method} ${path}`, { screen: 'show', key }),
      to(`call ${key}`, `${method} ${path}`, { screen: 'call', key }),
    ]),
  ];
}

/** The problems that the project does not accept, found once for all screens. No draw waits for them. */
export function useFindings(
  manifest: Manifest | undefined,
): Pick<ScreenContextValue, 'findings' | 'settingsProblem'> {
  const { check: settings, problem: settingsProblem } = useSettings(manifest?.project.root);
  const drawn = useDeferredValue(manifest);
  const findings = useMemo(
    () => drawn && checkProject(drawn, { settings }).problems,
    [drawn, settings],
  );
  return { findings, settingsProblem };
}

type Task = () => Promise<void>;

/**
 * Hands the terminal over for the time of a task: an editor, a shell. Ink switches off meanwhile what screens have
 * switched on.
 */
function useHandOver(): (task: Task) => void {
  const { suspendTerminal } = useApp();
  const [task, setTask] = useState<Task>();
  const isHandedOver = useRef(false);
  useEffect(() => {
    if (task === undefined) return;
    void suspendTerminal(async () => {
      await stopReadingKeys();
      await task();
    }).finally(() => {
      isHandedOver.current = false;
      setTask(undefined);
    });
  }, [task, suspendTerminal]);
  const handOver = useCallback((next: Task) => {
    // Somebody else has the terminal already, and gives it back.
    if (isHandedOver.current) return void next();
    isHandedOver.current = true;
    setTask(() => next);
  }, []);
  // Before the first frame is written, so that whoever sees the screen can stop it.
  useInsertionEffect(() => catchStop(() => handOver(stopUntilContinued)), [handOver]);
  return handOver;
}
