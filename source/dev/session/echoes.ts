import type { Wanted } from './wanted.ts';

/** Starts in a row for nothing but what was written while the server started or ended. */
export interface Echoes {
  /** All files that they were for, as absolute paths. */
  readonly files: ReadonlySet<string>;
  /** The number of such starts, without the first one for each file. */
  readonly count: number;
}

export const noEchoes: Echoes = { files: new Set(), count: 0 };

/** Whether all files of a start are among those of the starts before. */
export function hasAllFiles({ files }: Echoes, { changes }: Wanted): boolean {
  return changes.every(({ file }) => files.has(file));
}

/** The starts with one more. */
export function withEcho(echoes: Echoes, start: Wanted): Echoes {
  if (hasAllFiles(echoes, start)) return { ...echoes, count: echoes.count + 1 };
  return { ...echoes, files: new Set([...echoes.files, ...start.changes.map(({ file }) => file)]) };
}
