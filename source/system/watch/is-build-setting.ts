import { basename } from 'node:path';

/** The files that package managers write last into `node_modules`: npm, pnpm, Yarn. */
export const INSTALLED = ['.package-lock.json', '.modules.yaml', '.yarn-state.yml'] as const;

/** Whether a file says how the code is built, or which packages it finds. */
export function isBuildSetting(file: string): boolean {
  const name = basename(file);
  return /^(package\.json|tsconfig.*\.json)$/.test(name) || INSTALLED.some((installed) => installed === name);
}
