import { useCallback, useState } from 'react';
import { useScreen } from '../screens/use-screen.ts';
import { findServerAddress, usePolled } from '../screens/use-server-address.ts';
import type { Terminal } from '../terminal/terminal.ts';
import {
  type Environments,
  type KnownServers,
  readEnvironments,
  toCallTargets,
  toNextTarget,
  toPickedTarget,
  toTargetId,
} from './run/call-target.ts';

/** The target that was chosen last, by terminal, for all calls until the application ends. */
const chosenOf = new WeakMap<Terminal, string>();

/**
 * The target of a form, and the key that chooses another one: it never changes by itself, whatever is started or ended
 * meanwhile. `server`: the dev server that a screen has led here from.
 */
export function useTarget(servers: KnownServers, server: string | undefined) {
  const { terminal } = useScreen();
  const address = server === undefined ? servers.address : { url: server, isRunning: true };
  const targets = toCallTargets({ ...servers, address });
  const [chosen, setChosen] = useState(() =>
    toPickedTarget(targets, server === undefined ? chosenOf.get(terminal) : 'dev'),
  );
  // A server that is started again may have another port.
  const target = targets.find((one) => toTargetId(one) === toTargetId(chosen)) ?? chosen;
  return {
    target,
    serverUrl: target.kind === 'process' ? address.url : target.url,
    next: (): void => {
      const next = toNextTarget(targets, target);
      chosenOf.set(terminal, toTargetId(next));
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
  const look = useCallback(
    async (known: KnownServers | undefined): Promise<KnownServers> => ({
      environments: readWhereSound(root, known?.environments ?? {}),
      address: await findServerAddress(root, terminal),
    }),
    [root, terminal],
  );
  return usePolled<KnownServers | undefined>(look, undefined);
}

/** Settings that are being edited may be broken for a moment: those before count meanwhile. */
function readWhereSound(root: string, known: Environments): Environments {
  try {
    return readEnvironments(root);
  } catch {
    return known;
  }
}
