import { useEffect, useEffectEvent, useReducer } from 'react';
import { rememberManifest } from '../manifest/known-manifest.ts';
import { initialProjectState, type ProjectState, reduceProject } from './project-state.ts';
import { type WatchProjectOptions, watchProject } from './watch-project.ts';

export interface UseProjectOptions extends WatchProjectOptions {
  /** Called with what only ends the screen: no project is there to watch. */
  readonly onError: (error: unknown) => void;
}

/** The project while the screen is open, loaded anew after every save. */
export function useProject({ onError, ...options }: UseProjectOptions): ProjectState {
  const { config, envFile, workingDirectory, hasSchemas, published } = options;
  const [state, dispatch] = useReducer(reduceProject, initialProjectState);
  const fail = useEffectEvent(onError);
  useEffect(() => {
    try {
      const watch = watchProject({ config, envFile, workingDirectory, hasSchemas, published });
      watch.follow(dispatch);
      return () => watch.close();
    } catch (error) {
      return fail(error);
    }
  }, [config, envFile, workingDirectory, hasSchemas, published]);
  const { manifest } = state;
  useEffect(() => {
    if (manifest !== undefined) void rememberManifest(manifest, hasSchemas === false);
  }, [manifest, hasSchemas]);
  return state;
}
