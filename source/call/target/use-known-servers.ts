import { useCallback } from 'react';
import { usePolled } from '../../screens/use-polled.ts';
import { useScreen } from '../../screens/use-screen.ts';
import { findServerAddress } from '../../screens/use-server-address.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import type { Environments, KnownServers } from './call-target.ts';
import { readEnvironments } from './read-environments.ts';

/**
 * The servers that can be called, kept up to date while the screen is open; undefined until they were looked for, since a call that is sent
 * before would go to another target than the one that is shown next. `root`: absolute path of the project.
 */
export function useKnownServers(root: string): KnownServers | undefined {
  const { terminal } = useScreen();
  const look = useCallback(
    async (known: KnownServers | undefined): Promise<KnownServers> => ({
      environments: readWhereSound(root, terminal, known?.environments ?? {}),
      address: await findServerAddress(root, terminal),
    }),
    [root, terminal],
  );
  return usePolled<KnownServers | undefined>(look, undefined);
}

/** Settings that are being edited may be broken for a moment: those before count meanwhile. */
function readWhereSound(root: string, terminal: Terminal, known: Environments): Environments {
  try {
    return readEnvironments(root, terminal);
  } catch {
    return known;
  }
}
