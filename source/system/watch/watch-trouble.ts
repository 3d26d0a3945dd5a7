/** Why changes are not reported as they should be, for people. */
export interface WatchTrouble {
  /** Permanent name, for scripts: `FilesPolled` still sees every change, `FilesUnwatched` may miss some. */
  readonly code: 'FilesPolled' | 'FilesUnwatched';
  readonly message: string;
  /** The remedy. */
  readonly hint: string;
}

/** Whether the system reports changes of so many files only: then all of them can still be polled. */
export function isWatchLimit(error: unknown): boolean {
  return /^(ENOSPC|EMFILE|ENFILE|ENOMEM|ENOSYS)$/.test(toCode(error));
}

/** The words for a fault of the watcher. */
export function toWatchTrouble(error: unknown): WatchTrouble {
  if (!isWatchLimit(error)) {
    const reason = error instanceof Error ? error.message : String(error);
    return {
      code: 'FilesUnwatched',
      message: `Some files cannot be watched: ${reason}.`,
      hint: 'Restart after a change that is not seen.',
    };
  }
  const isInstance = toCode(error) === 'EMFILE';
  return {
    code: 'FilesPolled',
    message: `The system has no file ${isInstance ? 'watchers' : 'watches'} left, so files are polled for changes.`,
    hint: `Raise the limit: ${toRemedy(isInstance)}`,
  };
}

function toRemedy(isInstance: boolean): string {
  if (process.platform !== 'linux') return 'ulimit -n 65536';
  return `sudo sysctl fs.inotify.${isInstance ? 'max_user_instances=1024' : 'max_user_watches=524288'}`;
}

function toCode(error: unknown): string {
  const { code } = (error ?? {}) as { readonly code?: unknown };
  return typeof code === 'string' ? code : '';
}
