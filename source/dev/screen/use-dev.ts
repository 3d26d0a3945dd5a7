import { useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react';
import { type ScreenContextValue, useScreen } from '../../screens/use-screen.ts';
import { openInBrowser } from '../../system/user-programs.ts';
import { keepHeapSmall } from '../../terminal/keep-heap-small.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import { toDevOptions } from '../session/dev-options.ts';
import { DevSession } from '../session/dev-session.ts';
import { DevStore } from './dev-store.ts';

/** The server of this application, and what is known of it. */
export interface OpenDev {
  readonly store: DevStore;
  readonly session: DevSession;
  /** Absolute path of the project. */
  readonly root: string;
  readonly name: string;
}

/** One server an application, also while another screen is in front of it and whichever way leads back. */
const servers = new WeakMap<Terminal, OpenDev>();

/**
 * The server, which the first call starts. The component is drawn anew when there is something new. Undefined where it
 * cannot be: then the way leads back to the screen that led here, or out.
 */
export function useDev(): OpenDev | undefined {
  const screen = useScreen();
  const [opened] = useState(() => openOnce(screen));
  const refuse = useEffectEvent((error: Error) => {
    if (screen.back === undefined) return screen.exit(error);
    screen.notify(error.message);
    screen.back();
  });
  useEffect(() => {
    if (opened instanceof Error) refuse(opened);
  }, [opened]);
  const store = opened instanceof Error ? noStore : opened.store;
  useSyncExternalStore(store.watch, store.version);
  return opened instanceof Error ? undefined : opened;
}

const noStore = new DevStore();

function openOnce(screen: ScreenContextValue): OpenDev | Error {
  try {
    const opened = servers.get(screen.terminal) ?? open(screen);
    servers.set(screen.terminal, opened);
    return opened;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

function open({ terminal, envFile, entry: { route }, onClose }: ScreenContextValue): OpenDev {
  keepHeapSmall();
  const { entry, options = {} } = route.screen === 'dev' ? route : {};
  const sessionOptions = toDevOptions({ envFile, ...options }, entry, terminal);
  const store = new DevStore();
  const session = new DevSession({ ...sessionOptions, records: 'details', report: store.take });
  onClose(() => session.stop());
  void session.start().then(() => {
    const [url] = store.state.urls;
    if (options.open && url !== undefined) void openInBrowser(url);
  });
  return { store, session, root: sessionOptions.project.root, name: sessionOptions.project.name };
}
