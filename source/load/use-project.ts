import { useEffect, useEffectEvent, useReducer } from 'react';
import { initialProjectState, type ProjectState, reduceProject } from './project-state.ts';
import { continueWatch } from './watch-ahead.ts';
import type { ProjectWatch, WatchProjectOptions } from './watch-project.ts';

export interface UseProjectOptions extends Omit<WatchProjectOptions, 'onEvent'> {
  /** Called with what only ends the screen: no project is there to watch. */
  readonly onError: (error: unknown) => void;
}

/** The project while the screen is open, loaded anew after every save. */
export function useProject({
  config,
  envFile,
  workingDirectory,
  hasSchemas,
  published,
  onError,
}: UseProjectOptions): ProjectState {
  const [state, dispatch] = useReducer(reduceProject, initialProjectState);
  const fail = useEffectEvent(onError);
  useEffect(() => {
    let watch: ProjectWatch | undefined;
    let isClosed = false;
    continueWatch({
      config,
      envFile,
      workingDirectory,
      hasSchemas,
      published,
      onEvent: dispatch,
    }).then((started) => {
      watch = started;
      if (isClosed) void started.close();
    }, fail);
    return () => {
      isClosed = true;
      void watch?.close();
    };
  }, [config, envFile, workingDirectory, hasSchemas, published]);
  return state;
}
