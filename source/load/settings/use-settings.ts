import { useEffect, useMemo, useState } from 'react';
import { noSettings } from '../../manifest/rule-settings.ts';
import { type ProjectSettings, readSettings } from './read-settings.ts';

export interface CurrentSettings extends Pick<ProjectSettings, 'check' | 'diff'> {
  /** The reason why the settings cannot be read; there are none then. */
  readonly problem: string | undefined;
}

/** Looked at this often, since the files may not be there yet, milliseconds. */
const INTERVAL_MS = 250;

/** The decisions of a project about rules, as its settings have them now. */
export function useSettings(root: string | undefined): CurrentSettings {
  const [read, setRead] = useState(() => attempt(root));
  useEffect(() => {
    const look = (): void => setRead(attempt(root));
    look();
    const timer = setInterval(look, INTERVAL_MS).unref();
    return () => clearInterval(timer);
  }, [root]);
  return useMemo(() => {
    const none = { check: noSettings, diff: noSettings, problem: undefined };
    if (read instanceof Error) return { ...none, problem: read.message };
    return read === undefined ? none : { check: read.check, diff: read.diff, problem: undefined };
  }, [read]);
}

/** The same object while the files are the same. */
function attempt(root: string | undefined): ProjectSettings | Error | undefined {
  if (root === undefined) return undefined;
  try {
    return readSettings(root);
  } catch (error) {
    return error as Error;
  }
}
