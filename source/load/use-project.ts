import { useEffect, useSyncExternalStore } from 'react';
import type { ProjectState } from './project-state.ts';
import type { ProjectStore } from './project-store.ts';

/** The project of a store, which is open while the component is drawn. */
export function useProjectStore(store: ProjectStore): ProjectState {
  useEffect(() => {
    store.open();
    return () => store.close();
  }, [store]);
  return useSyncExternalStore(store.watch, store.state);
}
