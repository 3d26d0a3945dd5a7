import { useMemo, useSyncExternalStore } from 'react';
import { type ProjectSettings, readSettings } from './read-settings.ts';

export interface CurrentSettings extends Pick<ProjectSettings, 'check' | 'diff'> {
  /** The reason why the settings cannot be read; there are none then. */
  readonly problem: string | undefined;
}

/** Looked at this often, since the file may not be there yet, milliseconds. */
const INTERVAL_MS = 250;

export function useSettings(root: string | undefined): CurrentSettings {
  const read = useSyncExternalStore(lookAgain, () => attempt(root));
  return useMemo(() => {
    const { check, diff } =
      read === undefined || read instanceof Error ? { check: {}, diff: {} } : read;
    return { check, diff, problem: read instanceof Error ? read.message : undefined };
  }, [read]);
}

function lookAgain(look: () => void): () => void {
  const timer = setInterval(look, INTERVAL_MS).unref();
  return () => clearInterval(timer);
}

function attempt(root: string | undefined): ProjectSettings | Error | undefined {
  if (root === undefined) return undefined;
  try {
    return readSettings(root);
  } catch (error) {
    return error as Error;
  }
}
