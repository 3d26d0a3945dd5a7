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
import { MemoryContext } from '../kit/use-ui.ts';
import ListScreen from '../list/list-screen.tsx';
import ShowScreen from '../list/show-screen.tsx';
import type { ProjectState } from '../load/project-state.ts';
import type { ProjectStore } from '../load/project-store.ts';
import { useSettings } from '../load/settings/use-settings.ts';
import { useProjectStore } from '../load/use-project.ts';
import { type Manifest, toCapabilities } from '../manifest/manifest.ts';
import NewScreen from '../new/new-screen.tsx';
import OpenApiScreen from '../openapi/openapi-screen.tsx';
import {
  currentEntry,
  type History,
  type Location,
  moveInHistory,
  type RouteEvent,
  toHistory,
} from '../screens/location.ts';
import type { PaletteCommand } from '../screens/palette.tsx';
import { usePrompts } from '../screens/prompts.tsx';
import { useMarks, useNotice } from '../screens/use-marks.ts';
import {
  type Navigation,
  NavigationContext,
  type OpenProject,
  ProjectContext,
  type Services,
  ServicesContext,
  type Talk,
  TalkContext,
} from '../screens/use-screen.ts';
import { copyToClipboard, editInEditor, openEditor, openInPager } from '../system/user-programs.ts';
import { canStop, catchStop, stopReadingKeys, stopUntilContinued } from '../terminal/hand-over.ts';

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
  const [notice, notify] = useNotice();
  const [prompt, asks] = usePrompts();
  const services = useMemo(
    () => ({ terminal, config, envFile, onClose, exit, notify, share: createShare(), ...asks }),
    [terminal, config, envFile, onClose, exit, notify, asks],
  );
  const project = useProjectStore(store);
  const { noProject } = project;
  useEffect(() => {
    if (noProject !== undefined && needsProject(route)) exit(noProject);
  }, [noProject, route, exit]);
  const entry = currentEntry(history);
  return (
    <UiRoot terminal={terminal}>
      <ScreenStage
        services={useHandedOver(services, store)}
        navigation={useNavigationFrom(history, dispatch, project.manifest)}
        project={project}
        talk={{ notice, prompt }}
        Screen={screens[entry.route.screen] ?? HomeScreen}
      />
    </UiRoot>
  );
}

export interface ScreenStageProps {
  readonly services: Services;
  readonly navigation: Navigation;
  readonly project: ProjectState;
  readonly talk: Talk;
  readonly Screen: ComponentType;
}

/** Draws the screen of the entry, and draws it anew only for what it reads: not for each notice. */
export function ScreenStage({ services, navigation, project, talk, Screen }: ScreenStageProps) {
  const { entry } = navigation;
  const marks = useMarks(project);
  const { findings, settingsProblem } = useFindings(project.manifest);
  const open = useMemo(
    () => ({ project, marks, findings, settingsProblem }),
    [project, marks, findings, settingsProblem],
  );
  return (
    <ServicesContext value={services}>
      <NavigationContext value={navigation}>
        <ProjectContext value={open}>
          <TalkContext value={talk}>
            <MemoryContext value={entry.memory}>
              {useMemo(
                () => (
                  <Screen key={entry.id} />
                ),
                [Screen, entry.id],
              )}
            </MemoryContext>
          </TalkContext>
        </ProjectContext>
      </NavigationContext>
    </ServicesContext>
  );
}

/** The one value of each function that makes some. */
export function createShare(): Services['share'] {
  const values = new Map<unknown, unknown>();
  return <Needs, Value>(create: (needs: Needs) => Value, needs: Needs): Value => {
    if (!values.has(create)) values.set(create, create(needs));
    return values.get(create) as Value;
  };
}

function useNavigationFrom(
  history: History,
  dispatch: (event: RouteEvent) => void,
  manifest: Manifest | undefined,
): Navigation {
  return useMemo(() => {
    const go = (route: Location): void => dispatch({ kind: 'go', route });
    return {
      entry: currentEntry(history),
      go,
      replace: (route) => dispatch({ kind: 'replace', route }),
      back: history.length > 1 ? () => dispatch({ kind: 'back' }) : undefined,
      commands: () => toPaletteCommands(manifest, go),
    };
  }, [history, dispatch, manifest]);
}

/** Home works without a project, `new` makes one, `dev` runs any server, and `diff` takes two documents. */
function needsProject(route: Location): boolean {
  if (route.screen === 'diff') return route.after === undefined;
  return route.screen !== 'home' && route.screen !== 'new' && route.screen !== 'dev';
}

type OwnServices = Omit<Services, 'copy' | 'edit' | 'stop' | 'editText' | 'openInPager'>;

/** The services with those that need the whole terminal, or its clipboard. */
function useHandedOver(services: OwnServices, store: ProjectStore): Services {
  const handOver = useHandOver();
  return useMemo(() => {
    const { terminal, notify } = services;
    const start = (task: () => Promise<string | undefined>): void =>
      handOver(async () => {
        const failure = await task();
        if (failure !== undefined) notify(failure);
      });
    const copy = async (text: string, what: string): Promise<void> => {
      const place = await copyToClipboard(text, terminal);
      if (place === undefined) notify(`Sent ${what} to the terminal, for its clipboard`);
      else notify(`Copied ${what} to ${place}`);
    };
    return {
      ...services,
      copy: (text, what) => void copy(text, what),
      edit: (place) => {
        if (place === undefined) return notify('The source of this line is not known');
        const file = toAbsolute(place.file, store.state().manifest?.project.root);
        start(() => openEditor({ ...place, file }, terminal));
      },
      openInPager: (text) => start(() => openInPager(text, terminal)),
      stop: canStop() ? () => handOver(stopUntilContinued) : undefined,
      editText: (text) =>
        new Promise((resolve) =>
          start(async () => {
            const edited = await editInEditor(text, terminal);
            resolve('failure' in edited ? undefined : edited.text);
            return 'failure' in edited ? edited.failure : undefined;
          }),
        ),
    };
  }, [services, store, handOver]);
}

function toAbsolute(file: string, root = ''): string {
  return /^(\/|[a-zA-Z]:)/.test(file) ? file : `${root}/${file}`;
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
function useFindings(
  manifest: Manifest | undefined,
): Pick<OpenProject, 'findings' | 'settingsProblem'> {
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
