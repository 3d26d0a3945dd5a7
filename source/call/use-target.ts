import { useEffect, useRef, useState } from 'react';
import { useServices } from '../screens/use-screen.ts';
import { findDevServers, findServerAddress } from '../screens/use-server-address.ts';
import type { Terminal } from '../terminal/terminal.ts';
import {
  type KnownServers,
  readEnvironments,
  toCallTargets,
  toChosenTarget,
} from './run/call-target.ts';
import { memoryOf } from './use-call.ts';

/**
 * The target of a form, and the key that chooses another one: it never changes by itself, whatever is started or ended
 * meanwhile. `servers`: those that are known when the form opens. `server`: the dev server that a screen led here from.
 */
export function useTarget(root: string, servers: KnownServers, server: string | undefined) {
  const { terminal } = useServices();
  const toTargets = (known: KnownServers) =>
    toCallTargets(
      server === undefined ? known : { ...known, address: { url: server, isRunning: true } },
    );
  const [target, setTarget] = useState(() =>
    toChosenTarget(toTargets(servers), server === undefined ? memoryOf(terminal).target : 'dev'),
  );
  // The key may be pressed again before the servers were looked for.
  const last = useRef(target);
  const next = async (): Promise<void> => {
    const targets = toTargets(await findServers(root, terminal));
    const at = targets.findIndex(({ id }) => id === last.current.id);
    last.current = targets[(at + 1) % targets.length] ?? last.current;
    memoryOf(terminal).target = last.current.id;
    setTarget(last.current);
  };
  return { target, serverUrl: target.url ?? server ?? servers.address.url, next };
}

/** The servers that can be called; undefined until they were looked for. `root`: absolute path of the project. */
export function useKnownServers(root: string): KnownServers | undefined {
  const { terminal } = useServices();
  const [servers, setServers] = useState<KnownServers>();
  useEffect(() => void findServers(root, terminal).then(setServers), [root, terminal]);
  return servers;
}

async function findServers(root: string, terminal: Terminal): Promise<KnownServers> {
  const known = {
    address: await findServerAddress(root, terminal),
    devServers: await findDevServers(root),
  };
  try {
    return { ...known, environments: readEnvironments(root) };
  } catch {
    // Settings that are being edited may be broken for a moment.
    return { ...known, environments: {} };
  }
}
