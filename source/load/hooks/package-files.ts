import { fileURLToPath } from 'node:url';
import { findStats } from '../../system/paths.ts';

/** The files of packages that a process has loaded, as they were then: `npm install`, or a tool, may change them. */
export class PackageFiles {
  readonly #states = new Map<string, string>();

  add(url: string): void {
    if (!url.startsWith('file:')) return;
    const file = fileURLToPath(url);
    this.#states.set(file, toState(file));
  }

  areAsLoaded(): boolean {
    return [...this.#states].every(([file, state]) => state === toState(file));
  }
}

function toState(file: string): string {
  const { mtimeMs, size, ino } = findStats(file) ?? {};
  return `${mtimeMs} ${size} ${ino}`;
}
