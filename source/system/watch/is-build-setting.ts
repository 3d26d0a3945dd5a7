import { basename } from 'node:path';

/** Whether a file says how the code is built. */
export function isBuildSetting(file: string): boolean {
  return /^(package\.json|tsconfig.*\.json)$/.test(basename(file));
}
