import { Text } from 'ink';
import { render } from 'ink-testing-library';
import {
  type ComponentType,
  type ReactNode,
  useLayoutEffect,
  useMemo,
  useReducer,
  useState,
} from 'react';
import { vi } from 'vitest';
import { compileRegistry } from '../../server-runtime/registry/compile-registry.ts';
import { createShare, ScreenStage } from '../../source/app/app-screen.tsx';
import { loadCheckedManifest } from '../../source/check/rules/load-checked-manifest.ts';
import { UiRoot } from '../../source/kit/ui-root.tsx';
import type { LoadFailure } from '../../source/load/load-failure.ts';
import { initialProjectState, reduceProject } from '../../source/load/project-state.ts';
import type { LoadedRegistry } from '../../source/manifest/loaded-registry.ts';
import type { Manifest } from '../../source/manifest/manifest.ts';
import {
  currentEntry,
  type Location,
  moveInHistory,
  toHistory,
} from '../../source/screens/location.ts';
import type { PaletteCommand } from '../../source/screens/palette.tsx';
import { usePrompts } from '../../source/screens/prompts.tsx';
import { toAscii } from '../../source/terminal/screen-output.ts';
import type { Terminal } from '../../source/terminal/terminal.ts';
import { PATIENCE_MS } from './patience.ts';

function Elsewhere() {
  return <Text>elsewhere</Text>;
}

const noCommands = (): readonly PaletteCommand[] => [];

export interface ScreenOptions {
  readonly route: Location;
  /** @default 80 */
  readonly columns?: number;
  /** @default 24 */
  readonly rows?: number;
  readonly environment?: Readonly<Record<string, string>>;
  readonly noProject?: Error;
  /** @default '/' */
  readonly workingDirectory?: string;
  /** What the user makes of a text in the editor. */
  readonly edit?: (text: string) => string;
}

export interface RenderedScreen {
  readonly frame: () => string;
  readonly lines: () => readonly string[];
  /** Types keys, and waits until a frame shows it. */
  readonly press: (keys: string) => void;
  readonly waitFor: (text: string | RegExp) => Promise<string>;
  readonly waitUntilGone: (text: string) => Promise<string>;
  readonly load: (manifest: Manifest) => void;
  readonly fail: (failure: LoadFailure) => void;
  readonly resize: (columns: number, rows: number) => void;
  /** Where the screens have led. */
  readonly route: () => Location;
  /** What was written to the terminal beside the frames. */
  readonly written: () => string;
  readonly edited: readonly unknown[];
  /** The names under which text was copied, as the user is told. */
  readonly copied: readonly string[];
  readonly unmount: () => void;
}

/** Draws one screen of the application without the application around it: a project that the test loads, a terminal that it reads. */
export function renderScreen(Screen: () => ReactNode, options: ScreenOptions): RenderedScreen {
  const { columns = 80, rows = 24, environment = {}, noProject, workingDirectory } = options;
  let written = '';
  const edited: unknown[] = [];
  const copied: string[] = [];
  const terminal = toTestTerminal({
    environment,
    workingDirectory,
    write: (text) => (written += text),
  });
  let dispatch: (event: Parameters<typeof reduceProject>[1]) => void = () => {};
  let route: Location = options.route;

  function Around() {
    const [project, send] = useReducer(reduceProject, { ...initialProjectState, noProject });
    const [history, move] = useReducer(moveInHistory, options.route, toHistory);
    const [notice, notify] = useState<string>();
    const [prompt, asks] = usePrompts();
    const entry = currentEntry(history);
    useLayoutEffect(() => {
      dispatch = send;
      route = entry.route;
    }, [send, entry.route]);
    const isHere = entry.route.screen === options.route.screen;
    const services = useMemo(
      () => ({
        terminal,
        config: undefined,
        envFile: undefined,
        notify,
        ...asks,
        copy: (text: string, what: string) => {
          written += `copied: ${text}\n`;
          copied.push(what);
        },
        edit: (place: unknown) => void edited.push(place),
        stop: undefined,
        editText: (text: { readonly text: string }) => {
          edited.push(text);
          return Promise.resolve(options.edit?.(text.text));
        },
        openInPager: (text: unknown) => void edited.push(text),
        share: createShare(),
        onClose: () => {},
        exit: () => {},
      }),
      [asks],
    );
    const navigation = useMemo(
      () => ({
        entry,
        go: (next: Location) => move({ kind: 'go', route: next }),
        replace: (next: Location) => move({ kind: 'replace', route: next }),
        back: () => move({ kind: 'back' }),
        commands: noCommands,
      }),
      [entry],
    );
    return (
      <UiRoot terminal={terminal}>
        <ScreenStage
          services={services}
          navigation={navigation}
          project={project}
          talk={{ notice, prompt }}
          Screen={isHere ? (Screen as ComponentType) : Elsewhere}
        />
      </UiRoot>
    );
  }

  const app = render(<Text> </Text>);
  const resize = (width: number, height: number): void => {
    Object.defineProperty(app.stdout, 'columns', { value: width, configurable: true });
    Object.defineProperty(app.stdout, 'rows', { value: height, configurable: true });
    app.stdout.emit('resize');
  };
  resize(columns, rows);
  app.rerender(<Around />);
  // As its output has it.
  const toShown = environment['TERM'] === 'linux' ? toAscii : (text: string) => text;
  const frame = (): string => toShown(app.lastFrame() ?? '');
  return {
    frame,
    lines: () => frame().split('\n'),
    press: (keys) => app.stdin.write(keys),
    waitFor: (text) =>
      vi.waitFor(
        () => {
          if (!(typeof text === 'string' ? frame().includes(text) : text.test(frame())))
            throw new Error(`The screen never showed ${text}. It shows:\n${frame()}`);
          return frame();
        },
        { timeout: PATIENCE_MS, interval: 10 },
      ),
    waitUntilGone: (text) =>
      vi.waitFor(
        () => {
          if (frame().includes(text))
            throw new Error(`The screen still shows ${text}:\n${frame()}`);
          return frame();
        },
        { timeout: PATIENCE_MS, interval: 10 },
      ),
    load: (manifest) => dispatch({ kind: 'loaded', manifest, durationMs: 12, at: 0 }),
    fail: (failure) => dispatch({ kind: 'failed', failure, durationMs: 12, at: 0 }),
    resize,
    route: () => route,
    written: () => written,
    edited,
    copied,
    unmount: app.unmount,
  };
}

/** A terminal whose output the test reads. */
export function toTestTerminal({
  environment,
  workingDirectory = '/',
  write,
}: {
  readonly environment: Readonly<Record<string, string>>;
  readonly workingDirectory?: string | undefined;
  readonly write: (text: string) => void;
}): Terminal {
  return {
    writeOut: write,
    writeError: write,
    readIn: () => Promise.resolve(''),
    isInteractive: true,
    size: () => ({ columns: 80, rows: 24 }),
    workingDirectory: () => workingDirectory,
    environment,
    interruptSignal: () => new AbortController().signal,
  };
}

/** The manifest of capabilities that a test declares. */
export function toTestManifest(
  tree: Parameters<typeof compileRegistry>[0],
  restOptions: LoadedRegistry['restOptions'] = {},
): Promise<Manifest> {
  return loadCheckedManifest({
    kind: 'loaded',
    project: { root: '/shop', name: 'shop', entryFile: '/shop/src/capabilities.ts' },
    registry: compileRegistry(tree),
    restOptions,
    files: [],
  });
}
