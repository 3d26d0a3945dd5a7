import { useState } from 'react';
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

/** The target that was chosen last, by terminal, for all calls until the application ends. */
const chosenOf = new WeakMap<Terminal, string>();

/** The target of the calls of a project, and the key that chooses another one. `server`: the dev server that a screen has led here from. */
export function useTarget(
  servers: KnownServers,
  server: string | undefined,
): {
  readonly target: CallTarget;
  readonly next: () => void;
  readonly serverUrl: string;
} {
  const { terminal } = useScreen();
  const [chosen, setChosen] = useState(server === undefined ? chosenOf.get(terminal) : 'dev');
  const address = server === undefined ? servers.address : { url: server, isRunning: true };
  const targets = toCallTargets({ ...servers, address });
  const target = toPickedTarget(targets, chosen);
  return {
    target,
    serverUrl: target.kind === 'process' ? address.url : target.url,
    next: () => {
      const id = toTargetId(toNextTarget(targets, target));
      chosenOf.set(terminal, id);
      setChosen(id);
    },
  };
}
