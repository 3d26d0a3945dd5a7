import { useEffect, useState } from 'react';
import { readCallHistory } from '../files/past-call.ts';
import { readPinnedKeys, togglePinnedKey } from '../files/read-pinned-keys.ts';
import { useScreen } from '../screens/use-screen.ts';
import type { ListShelf } from './list-groups.ts';

export interface OpenShelf {
  readonly shelf: ListShelf;
  /** Pins a capability, or no longer. Gives whether it is pinned now. */
  readonly togglePin: (key: string) => Promise<boolean>;
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
      if (isOver || pinned.length + recent.length === 0) return;
      // A key that was pressed meanwhile has brought newer ones.
      setShelf((now) => ({ pinned: now.pinned === nothing.pinned ? pinned : now.pinned, recent }));
    });
    return () => {
      isOver = true;
    };
  }, [root]);
  const { onClose } = useScreen();
  return {
    shelf,
    togglePin: async (key) => {
      if (root === undefined) return false;
      const toggled = togglePinnedKey(root, key);
      onClose(async () => void (await toggled));
      const pinned = await toggled;
      setShelf((now) => ({ ...now, pinned }));
      return pinned.includes(key);
    },
  };
}
