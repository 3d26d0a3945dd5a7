import { useCallback, useState } from 'react';
import { readServerState } from '../../files/server-state.ts';
import { usePolled } from '../../screens/use-polled.ts';
import { useScreen } from '../../screens/use-screen.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import {
  type CallTarget,
  type KnownServers,
  toCallTargets,
  toNextTarget,
  toPickedTarget,
  toTargetId,
} from './call-target.ts';
import { readEnvironments } from './read-environments.ts';

/** The target that was chosen last, by terminal, for all calls until the application ends. */
const chosenOf = new WeakMap<Terminal, string>();

/** The target of the calls of a project, and the key that chooses another one. */
export function useTarget(root: string): {
  readonly target: CallTarget;
  readonly next: () => void;
  readonly serverUrl: string;
} {
  const { terminal } = useScreen();
  const [chosen, setChosen] = useState(chosenOf.get(terminal));
  const [initial] = useState<KnownServers>(() => ({
    devUrl: undefined,
    port: Number(terminal.environment['PORT']) || 3000,
    environments: {},
  }));
  const look = useCallback(
    async (known: KnownServers): Promise<KnownServers> => {
      const [server, environments] = await Promise.all([readServerState(root), readEnvironments(root, terminal)]);
      return { ...known, devUrl: server?.urls[0]?.replace(/\/+$/, ''), environments };
    },
    [root, terminal],
  );
  const targets = toCallTargets(usePolled(look, initial));
  const target = toPickedTarget(targets, chosen);
  const server = target.kind === 'process' ? targets[1] : target;
  return {
    target,
    serverUrl: server === undefined || server.kind === 'process' ? `http://localhost:${initial.port}` : server.url,
    next: () => {
      const id = toTargetId(toNextTarget(targets, target));
      chosenOf.set(terminal, id);
      setChosen(id);
    },
  };
}
