import { useEffect, useState } from 'react';
import { type PastCall, readCallHistory } from '../project/call-history.ts';

/** The calls that were made in a project, the last one first; none until they are read. */
export function useCallHistory(root: string | undefined): readonly PastCall[] {
  const [calls, setCalls] = useState<readonly PastCall[]>([]);
  useEffect(() => {
    if (root !== undefined) void readCallHistory(root).then(setCalls);
  }, [root]);
  return calls;
}
