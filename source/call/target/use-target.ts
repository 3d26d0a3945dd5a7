import { useCallback, useState } from 'react';
import { usePolled } from '../../screens/use-polled.ts';
import { useScreen } from '../../screens/use-screen.ts';
import { useServerAddress } from '../../screens/use-server-address.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import {
  type CallTarget,
  type Environments,
  toCallTargets,
  toNextTarget,
  toPickedTarget,
  toTargetId,
} from './call-target.ts';
import { readEnvironments } from './read-environments.ts';

/** The target that was chosen last, by terminal, for all calls until the application ends. */
const chosenOf = new WeakMap<Terminal, string>();

const noEnvironments: Environments = {};

/** The target of the calls of a project, and the key that chooses another one. `server`: the dev server that a screen has led here from. */
export function useTarget(
  root: string,
  server: string | undefined,
): {
  readonly target: CallTarget;
  readonly next: () => void;
  readonly serverUrl: string;
} {
  const { terminal } = useScreen();
  const [chosen, setChosen] = useState(server === undefined ? chosenOf.get(terminal) : 'dev');
  const found = useServerAddress(root);
  const address = server === undefined ? found : { url: server, isRunning: true };
  const read = useCallback(async (known: Environments) => readWhereSound(root, terminal, known), [root, terminal]);
  const environments = usePolled(read, noEnvironments);
  const targets = toCallTargets({ address, environments });
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

/** Settings that are being edited may be broken for a moment: those before count meanwhile. */
function readWhereSound(root: string, terminal: Terminal, known: Environments): Environments {
  try {
    return readEnvironments(root, terminal);
  } catch {
    return known;
  }
}
