import { unwatchFile, watchFile } from 'node:fs';
import { join } from 'node:path';
import { useEffect, useState } from 'react';
import { noSettings } from '../manifest/settings/rule-settings.ts';
import { type ProjectSettings, readSettings, SETTINGS_FILE } from './read-settings.ts';

export interface CurrentSettings extends Omit<ProjectSettings, 'dev'> {
  /** The reason why the file cannot be read; its decisions are none then. */
  readonly problem: string | undefined;
}

/** Looked at this often, since it may not be there yet, milliseconds. */
const INTERVAL_MS = 250;

/** The decisions of a project about rules, as its `capix.json` has them now. */
export function useSettings(root: string | undefined): CurrentSettings {
  const [settings, setSettings] = useState(() => readCurrent(root));
  useEffect(() => {
    if (root === undefined) return undefined;
    const file = join(root, SETTINGS_FILE);
    const load = (): void => setSettings(readCurrent(root));
    load();
    watchFile(file, { interval: INTERVAL_MS, persistent: false }, load);
    return () => unwatchFile(file, load);
  }, [root]);
  return settings;
}

function readCurrent(root: string | undefined): CurrentSettings {
  const none = { check: noSettings, diff: noSettings, problem: undefined };
  if (root === undefined) return none;
  try {
    return { ...readSettings(root), problem: undefined };
  } catch (error) {
    return { ...none, problem: error instanceof Error ? error.message : String(error) };
  }
}
