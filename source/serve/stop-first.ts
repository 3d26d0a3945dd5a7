import type { ServeNotice, ThrownError } from './server-message.ts';

export type StopFirst = ReturnType<typeof createStopFirst>;

/** Whether what answers is ended before its successor starts. `setting`: what the user has said, once and for all. */
export function createStopFirst(setting: boolean | undefined, onNotice: (notice: ServeNotice) => void) {
  let isOn = setting ?? false;
  const isOpen = (): boolean => setting === undefined && !isOn;
  const choose = (reason: string): void => {
    isOn = true;
    onNotice({ code: 'StopsFirst', reason });
  };
  return {
    isOn: (): boolean => isOn,
    /** Whether a start that failed so may go well once what answers has ended. */
    mayHelp: (error: ThrownError | undefined): error is ThrownError => isOpen() && isHeldResource(error),
    /** The next version starts after the one before has stopped; the user is told why. */
    choose,
    /** Chooses it where the code imports a database whose files only one process may have open. */
    takeImports: (imports: readonly string[]): void => {
      const name = isOpen() ? findLonelyDatabase(imports) : undefined;
      if (name !== undefined) choose(`only one process may have the files of ${name} open`);
    },
  };
}

const HELD = new RegExp(
  [
    String.raw`\b(?:EEXIST|EADDRINUSE|EBUSY|EAGAIN|EWOULDBLOCK|ELOCKED|SQLITE_BUSY\w*|LEVEL_LOCKED)\b`,
    String.raw`\block(?:s|ed|file)?\b`,
    String.raw`\balready (?:held|open|opened|running|in use)\b`,
  ].join('|'),
  'i',
);

/** Whether a start may have failed on what one process can have: a lock file, a UDP port, a database. */
function isHeldResource(error: ThrownError | undefined): error is ThrownError {
  // A TCP port is told of as what it is.
  if (error === undefined || (error.code === 'EADDRINUSE' && error.syscall !== 'bind')) return false;
  return HELD.test(`${error.code ?? ''} ${error.message}`);
}

/** Embedded databases that read and write their files as if they were alone, and say nothing where they are not. */
const ALONE = new RegExp(
  String.raw`[\\/]node_modules[\\/](@electric-sql[\\/]pglite|lowdb|nedb|@seald-io[\\/]nedb|` +
    String.raw`@duckdb[\\/]node-api|duckdb|classic-level|level)[\\/]`,
);

/** The name of an imported package whose files only one process may have open; undefined where there is none. */
function findLonelyDatabase(imports: readonly string[]): string | undefined {
  for (const path of imports) {
    const name = ALONE.exec(path)?.[1];
    if (name !== undefined) return name.replaceAll('\\', '/');
  }
  return undefined;
}
