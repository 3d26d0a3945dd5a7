import { readSettings } from '../load/read-settings.ts';
import type { Manifest } from '../manifest/manifest.ts';
import { noSettings, type RuleSettings } from '../manifest/settings/rule-settings.ts';

/** The decisions of a project about the rules of `check`; none while its `capix.json` cannot be read, which the command tells. */
export function findSettings({ project }: Manifest): RuleSettings {
  try {
    return readSettings(project.root).check;
  } catch {
    return noSettings;
  }
}
