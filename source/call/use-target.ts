import { useCallback, useState } from 'react';
import { useScreen } from '../screens/use-screen.ts';
import { findServerAddress, usePolled } from '../screens/use-server-address.ts';
import {
  type Environments,
  type KnownServers,
  readEnvironments,
  toCallTargets,
  toChosenTarget,
} from './run/call-target.ts';
import { memoryOf, remember } from './use-call.ts';

/**
 * The target of a form, and the key that chooses another one: it never changes by itself, whatever is started or ended
 * meanwhile. `server`: the dev server that a screen has led here from.
 */
export function useTarget(servers: KnownServers, server: string | undefined) {
  const { terminal } = useScreen();
  const address = server === undefined ? servers.address : { url: server, isRunning: true };
  const targets = toCallTargets({ ...servers, address });
  const [chosen, setChosen] = useState(() =>
    toChosenTarget(targets, server === undefined ? memoryOf(terminal).target : 'dev'),
  );
  const at = targets.findIndex(({ id }) => id === chosen.id);
  // A server that is started again may have another port.
  const target = targets[at] ?? chosen;
  return {
    target,
    serverUrl: target.url ?? address.url,
    next: (): void => {
      const next = targets[(at + 1) % targets.length] ?? target;
      remember(terminal, { target: next.id });
      setChosen(next);
    },
  };
}

/**
 * The servers that can be called, kept up to date while the screen is open; undefined until they were looked for, since
 * a call that is sent before would go to another target than the one that is shown next. `root`: absolute path of the
 * project.
 */
export function useKnownServers(root: string): KnownServers | undefined {
  const { terminal } = useScreen();
  const look = useCallback(async (): Promise<KnownServers> => {
    let environments: Environments = {};
    try {
      environments = readEnvironments(root);
    } catch {
      // Settings that are being edited may be broken for a moment. The target that was chosen stays.
    }
    return { environments, address: await findServerAddress(root, terminal) };
  }, [root, terminal]);
  return usePolled<KnownServers | undefined>(look, undefined);
}
