import type { ServeNotice, ThrownError } from './server-message.ts';

/**
 * Whether what answers ends before its successor starts. A project may say so; otherwise it is decided once, when code
 * turns out to need something that only one process can have.
 */
export class StopFirst {
  /** Undefined while it may still be decided. */
  #isWanted: boolean | undefined;
  readonly #onNotice: (notice: ServeNotice) => void;

  constructor(isWanted: boolean | undefined, onNotice: (notice: ServeNotice) => void) {
    this.#isWanted = isWanted;
    this.#onNotice = onNotice;
  }

  get isWanted(): boolean {
    return this.#isWanted === true;
  }

  /** Whether a start failed on what the process before it may hold, such as a lock of a database. */
  mayHelp(error: ThrownError): boolean {
    return this.#isWanted === undefined && isHeldAlone(error);
  }

  /** Decides for it, and says why: the next version starts after the one before has stopped. */
  choose(reason: string): void {
    this.#isWanted = true;
    this.#onNotice({ code: 'StopsFirst', reason });
  }

  /** Decides for it where code imports a package whose files only one process may have open. */
  noteImports(imports: readonly string[]): void {
    if (this.#isWanted !== undefined) return;
    const name = findLonePackage(imports);
    if (name === undefined) return;
    this.choose(`only one process may have the files of ${name} open`);
  }
}

const HELD = new RegExp(
  String.raw`\b(?:EEXIST|EADDRINUSE|EBUSY|EAGAIN|EWOULDBLOCK|ELOCKED|SQLITE_BUSY\w*|LEVEL_LOCKED|lock(?:s|ed|file)?|` +
    String.raw`already (?:held|open|opened|running|in use))\b`,
  'i',
);

/** Embedded databases that read and write their files as if they were alone, and say nothing where they are not. */
const ALONE = new RegExp(
  String.raw`[\\/]node_modules[\\/](@electric-sql[\\/]pglite|lowdb|nedb|@seald-io[\\/]nedb|` +
    String.raw`@duckdb[\\/]node-api|duckdb|classic-level|level)[\\/]`,
);

/**
 * Whether a start failed on a thing that one process has at a time, such as a lock of a database. A TCP port that is in
 * use counts only where `bind` was refused: the code's own sockets tell of theirs as what they are.
 */
function isHeldAlone({
  code = '',
  syscall = '',
  message,
}: Pick<ThrownError, 'message' | 'code' | 'syscall'>): boolean {
  return (code !== 'EADDRINUSE' || syscall === 'bind') && HELD.test(`${code} ${message}`);
}

/** The first of some imported files' packages whose data only one process may have open. */
function findLonePackage(imports: readonly string[]): string | undefined {
  return imports.flatMap((path) => ALONE.exec(path)?.[1] ?? [])[0];
}
