import type { ThrownError } from './server-message.ts';

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
export function isHeldAlone({
  code = '',
  syscall = '',
  message,
}: Pick<ThrownError, 'message' | 'code' | 'syscall'>): boolean {
  return (code !== 'EADDRINUSE' || syscall === 'bind') && HELD.test(`${code} ${message}`);
}

/** The first of some imported files' packages whose data only one process may have open. */
export function findLonePackage(imports: readonly string[]): string | undefined {
  return imports.flatMap((path) => ALONE.exec(path)?.[1] ?? [])[0];
}
