import { useCallback } from 'react';
import { usePolled } from '../screens/use-polled.ts';
import { type HomeFacts, noHomeFacts, readHomeFacts } from './home-facts.ts';

/**
 * Facts that are read again while the screen is open. `root`: absolute path of the project, undefined until it is
 * known.
 */
export function useHomeFacts(root: string | undefined): HomeFacts {
  const read = useCallback(
    async () => (root === undefined ? noHomeFacts : readHomeFacts(root)),
    [root],
  );
  return usePolled(read, noHomeFacts);
}
