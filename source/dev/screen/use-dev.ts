import { useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react';
import type { Location } from '../../screens/location.ts';
import { type Services, useNavigation, useServices } from '../../screens/use-screen.ts';
import { openInBrowser } from '../../system/user-programs.ts';
import { keepHeapSmall } from '../../terminal/keep-heap-small.ts';
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

/**
 * The server, one an application, also while another screen is in front of it: the first call starts it. The component
 * is drawn anew when there is something new. Undefined where it cannot be: then the way leads back to the screen that
 * led here, or out.
 */
export function useDev(): OpenDev | undefined {
  const services = useServices();
  const { entry, back } = useNavigation();
  const [opened] = useState(() => attempt(services, entry.route));
  const refuse = useEffectEvent((error: Error) => {
    if (back === undefined) return services.exit(error);
    services.notify(error.message);
    back();
  });
  useEffect(() => {
    if (opened instanceof Error) refuse(opened);
  }, [opened]);
  const store = opened instanceof Error ? noStore : opened.store;
  useSyncExternalStore(store.watch, store.version);
  return opened instanceof Error ? undefined : opened;
}

const noStore = new DevStore();

function attempt(services: Services, route: Location): OpenDev | Error {
  try {
    return services.share(open, { ...services, route });
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

type Needs = Pick<Services, 'terminal' | 'envFile' | 'onClose'> & { readonly route: Location };

function open({ terminal, envFile, route, onClose }: Needs): OpenDev {
  keepHeapSmall();
  const dev: Extract<Location, { readonly screen: 'dev' }> =
    route.screen === 'dev' ? route : { screen: 'dev' };
  const { entry, options = {} } = dev;
  const sessionOptions = toDevOptions({ ...(envFile && { envFile }), ...options }, entry, terminal);
  const store = new DevStore();
  const session = new DevSession({ ...sessionOptions, records: 'details', report: store.take });
  onClose(() => session.stop());
  void session.start().then(() => {
    const [url] = store.state.urls;
    if (options.open && url !== undefined) void openInBrowser(url);
  });
  return { store, session, root: sessionOptions.project.root, name: sessionOptions.project.name };
}
