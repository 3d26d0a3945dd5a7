import { useEffect, useEffectEvent, useReducer } from 'react';
import { initialProjectState, type ProjectState, reduceProject } from './project-state.ts';
import { continueWatch } from './watch-ahead.ts';
import type { WatchProjectOptions } from './watch-project.ts';

export interface UseProjectOptions extends Omit<WatchProjectOptions, 'onEvent'> {
  /** Called with what only ends the screen: no project is there to watch. */
  readonly onError: (error: unknown) => void;
}

/** The project while the screen is open, loaded anew after every save. */
export function useProject({ onError, ...options }: UseProjectOptions): ProjectState {
  const { config, envFile, workingDirectory, hasSchemas, published } = options;
  const [state, dispatch] = useReducer(reduceProject, initialProjectState);
  const fail = useEffectEvent(onError);
  useEffect(() => {
    const watching = continueWatch({ config, envFile, workingDirectory, hasSchemas, published, onEvent: dispatch });
    watching.catch(fail);
    return () =>
      void watching.then(
        (watch) => watch.close(),
        () => {},
      );
  }, [config, envFile, workingDirectory, hasSchemas, published]);
  return state;
}
