import { useEffect, useMemo, useState } from 'react';
import { readCallHistory } from '../files/past-call.ts';
import { readPinnedKeys, writePinnedKeys } from '../files/read-pinned-keys.ts';
import type { ListShelf } from './list-groups.ts';

export interface OpenShelf {
  readonly shelf: ListShelf;
  /** Pins a capability, or no longer. Gives whether it is pinned now. */
  readonly togglePin: (key: string) => boolean;
}

const nothing: ListShelf = { pinned: [], recent: [] };

/** The capabilities of a project that stand first in the list. `root`: absolute path of the project, undefined until it is known. */
export function useShelf(root: string | undefined): OpenShelf {
  const [shelf, setShelf] = useState(nothing);
  useEffect(() => {
    if (root === undefined) return undefined;
    let isOver = false;
    void Promise.all([readPinnedKeys(root), readCallHistory(root)]).then(([pinned, calls]) => {
      const recent = [...new Set(calls.map(({ key }) => key))];
      if (!isOver && pinned.length + recent.length > 0) setShelf({ pinned, recent });
    });
    return () => {
      isOver = true;
    };
  }, [root]);
  return useMemo(
    () => ({
      shelf,
      togglePin: (key) => {
        const isPinned = !shelf.pinned.includes(key);
        const pinned = isPinned ? [...shelf.pinned, key] : shelf.pinned.filter((other) => other !== key);
        setShelf({ ...shelf, pinned });
        if (root !== undefined) void writePinnedKeys(root, pinned).catch(() => {});
        return isPinned;
      },
    }),
    [shelf, root],
  );
}
