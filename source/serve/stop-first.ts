import type { ServeNotice, ThrownError } from './server-message.ts';

export type StopFirst = ReturnType<typeof createStopFirst>;

/** Whether what answers is ended before its successor starts. `setting`: what the user has said, once and for all. */
export function createStopFirst(setting: boolean | undefined, onNotice: (notice: ServeNotice) => void) {
  let isOn = setting ?? false;
  const isOpen = (): boolean => setting === undefined && !isOn;
  /** The next version starts after the one before has stopped; the user is told why. */
  const choose = (reason: string): void => {
    isOn = true;
    onNotice({ code: 'StopsFirst', reason });
  };
  return {
    isOn: (): boolean => isOn,
    choose,
    /**
     * Whether a start that failed so may go well once what answers has ended: a lock file, a UDP port, a database. A
     * TCP port is told of as what it is.
     */
    mayHelp: (error: ThrownError | undefined): boolean => {
      if (!isOpen() || error === undefined || (error.code === 'EADDRINUSE' && error.syscall !== 'bind')) return false;
      return HELD.test(`${error.code ?? ''} ${error.message}`);
    },
    /** Chooses it where the code imports a database whose files only one process may have open. */
    takeImports: (imports: readonly string[]): void => {
      const [name] = isOpen() ? imports.flatMap((path) => ALONE.exec(path)?.[1] ?? []) : [];
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

/** Embedded databases that read and write their files as if they were alone, and say nothing where they are not. */
const ALONE = new RegExp(
  String.raw`[\\/]node_modules[\\/](@electric-sql[\\/]pglite|lowdb|nedb|@seald-io[\\/]nedb|` +
    String.raw`@duckdb[\\/]node-api|duckdb|classic-level|level)[\\/]`,
);
