import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { findStats } from '../../../system/watch/find-stats.ts';
import { INSTALLED, isBuildSetting } from '../../../system/watch/is-build-setting.ts';

/** When what says the meaning of imports was changed last: settings of the build, and the packages that are installed. */
export function readSettingTimes(root: string): string {
  const files = [...readdirSync(root).filter(isBuildSetting), ...INSTALLED.map((name) => join('node_modules', name))];
  const times = files.map((file) => findStats(join(root, file))?.mtimeMs ?? 0);
  return [...files, ...times].join(' ');
}
