import { useEffect, useState } from 'react';
import { noSettings } from '../../manifest/rule-settings.ts';
import { type ProjectSettings, readSettings } from './read-settings.ts';
import { toSettingsState } from './settings-file.ts';

export interface CurrentSettings extends Pick<ProjectSettings, 'check' | 'diff'> {
  /** The reason why the settings cannot be read; there are none then. */
  readonly problem: string | undefined;
}

/** Looked at this often, since the files may not be there yet, milliseconds. */
const INTERVAL_MS = 250;

/** The decisions of a project about rules, as its settings have them now. */
export function useSettings(root: string | undefined): CurrentSettings {
  const [settings, setSettings] = useState(() => readCurrent(root));
  useEffect(() => {
    if (root === undefined) return undefined;
    let state = toSettingsState(root);
    const load = (): void => {
      setSettings(readCurrent(root));
      // What the files import is known only after they have run.
      state = toSettingsState(root);
    };
    load();
    const timer = setInterval(() => {
      if (toSettingsState(root) !== state) load();
    }, INTERVAL_MS);
    timer.unref();
    return () => clearInterval(timer);
  }, [root]);
  return settings;
}

function readCurrent(root: string | undefined): CurrentSettings {
  const none = { check: noSettings, diff: noSettings, problem: undefined };
  if (root === undefined) return none;
  try {
    const { check, diff } = readSettings(root);
    return { check, diff, problem: undefined };
  } catch (error) {
    return { ...none, problem: error instanceof Error ? error.message : String(error) };
  }
}
