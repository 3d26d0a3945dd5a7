import { createHash, type Hash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** A path that a build has looked at, whether something is there or not, and the part that counts. */
export interface Evidence {
  /** `text`: the text of a file. `names`: the names in a folder, and where its links lead. `place`: where a path really lies. `times`: the times of a file. */
  readonly kind: 'text' | 'names' | 'place' | 'times';
  /** Absolute path. */
  readonly path: string;
}

/** The same where all of it is as it was: a hash in base64. */
export function toEvidenceDigest(evidence: readonly Evidence[]): string {
  const hash = createHash('sha256');
  for (const { kind, path } of evidence) {
    hash.update(`\0${kind} ${path}\0`);
    look[kind](path, hash);
  }
  return hash.digest('base64');
}

/** Whether nothing of it has changed at a time or later; milliseconds since 1970. A file that took the place of another has changed then, too. */
export function isUnchangedSince(evidence: readonly Evidence[], time: number): boolean {
  return evidence.every(({ path }) => [lstatSync, statSync].every((read) => readChange(path, read) < time));
}

function readChange(path: string, read: typeof lstatSync | typeof statSync): number {
  const stats = orMissing(() => read(path));
  return stats === undefined ? 0 : Math.max(stats.ctimeMs, stats.mtimeMs);
}

const look: Readonly<Record<Evidence['kind'], (path: string, hash: Hash) => void>> = {
  text: (path, hash) => {
    const text = orMissing(() => readFileSync(path));
    hash.update(text === undefined ? 'missing' : `${text.length} `);
    if (text !== undefined) hash.update(text);
  },
  names: (path, hash) => {
    const entries = orMissing(() => readdirSync(path, { withFileTypes: true })) ?? [];
    const lines = entries.map((entry) => {
      const target = entry.isSymbolicLink() ? orMissing(() => readlinkSync(join(path, entry.name))) : undefined;
      return `${entry.name}\0${entry.isDirectory() ? 'folder' : (target ?? '')}`;
    });
    hash.update(lines.toSorted().join('\0'));
  },
  place: (path, hash) => {
    hash.update(orMissing(() => realpathSync(path)) ?? 'missing');
  },
  times: (path, hash) => {
    const stats = orMissing(() => statSync(path));
    hash.update(stats === undefined ? 'missing' : `${stats.ctimeMs} ${stats.mtimeMs} ${stats.size} ${stats.ino}`);
  },
};

/** Undefined also for what may not be looked at: a build could not either. */
function orMissing<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
