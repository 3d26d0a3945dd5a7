import { rename } from 'node:fs/promises';

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
