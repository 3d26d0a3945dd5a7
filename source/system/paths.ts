import { type Stats, statSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import path, { type PlatformPath } from 'node:path';

/** Gives what the system knows of a path; undefined where nothing is there, or nothing that may be looked at. */
export function findStats(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined; // A folder on the way may have become a file, or belong to somebody else.
  }
}

/**
 * Whether a path is that of a folder, or of something in it. Both are absolute. On Windows, capital letters do not
 * count, and another drive is outside. `flavour`: the paths of a system. @default those of this one
 */
export function isInside(file: string, folder: string, { relative, isAbsolute, sep }: PlatformPath = path): boolean {
  const way = relative(folder, file);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

export interface ReplaceOptions {
  /** @default that of this machine */
  readonly platform?: NodeJS.Platform;
  /** @default that of Node */
  readonly rename?: (from: string, to: string) => Promise<void>;
}

/** The number of attempts, with 1, 2, 4 … milliseconds between them: half a second. */
const ATTEMPTS = 10;
const BUSY = /^(?:EPERM|EACCES|EBUSY)$/;

/**
 * Renames a file, also over another one. On Windows, where that fails while an editor or a virus scanner has one of
 * them open, it is tried again for a moment.
 */
export async function replaceFile(
  from: string,
  to: string,
  { platform = process.platform, rename: move = rename }: ReplaceOptions = {},
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await move(from, to);
    } catch (error) {
      const isBusy = platform === 'win32' && BUSY.test((error as NodeJS.ErrnoException).code ?? '');
      if (!isBusy || attempt === ATTEMPTS) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, 2 ** (attempt - 1)));
  }
}
