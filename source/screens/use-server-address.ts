import { useCallback } from 'react';
import { findServerAddress, type ServerAddress, toGuessedAddress } from '../files/dev-servers.ts';
import { usePolled } from './use-polled.ts';
import { useServices } from './use-screen.ts';

/** The address at which calls reach the project. It follows the server. `root`: absolute path of the project. */
export function useServerAddress(root: string): ServerAddress {
  const { terminal } = useServices();
  const look = useCallback(() => findServerAddress(root, terminal), [root, terminal]);
  return usePolled<ServerAddress>(look, toGuessedAddress(terminal));
}
