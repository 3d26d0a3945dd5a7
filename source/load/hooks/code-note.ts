import { createHash } from 'node:crypto';
import { readSourceText } from '../../manifest/code-frame.ts';
import { findStats, toFileState } from '../../system/paths.ts';
import type { CopiedFolders } from './copied-tree.ts';

export type CodeNote =
  | ReadFile
  | { readonly kind: 'package'; readonly name: string; readonly url: string }
  /** An import of a file in a folder (absolute path) was not found: `./text.ts`, `@/lib/text`. */
  | { readonly kind: 'missing'; readonly text: string; readonly folder: string };

export interface ReadFile {
  readonly kind: 'file';
  readonly file: string;
  /** Which file it was and when it was changed in any way: others of the same time and size may be put in its place. */
  readonly state: string;
  readonly hash: string;
  readonly isYoung: boolean;
}

/** A file that is so young may be changed once more without another time, milliseconds. */
const YOUNG_MS = 50;

export interface HooksOrder {
  readonly files: readonly string[];
  readonly isAnew?: boolean;
  readonly pauses?: boolean | undefined;
  /** Where files of a copy look for packages as if they lay in the original. */
  readonly copied?: CopiedFolders | undefined;
}

/** Reads a file (absolute path); of one that is not there the text is empty. */
export function readCode(file: string): { readonly read: ReadFile; readonly text: string } {
  const stats = findStats(file);
  const isYoung = Date.now() - (stats?.mtimeMs ?? 0) < YOUNG_MS;
  const text = readSourceText(file);
  const hash = createHash('sha1').update(text).digest('base64');
  const read = {
    kind: 'file',
    file,
    state: toFileState(stats),
    hash,
    isYoung,
  } as const;
  return { read, text };
}

/** Whether a file is as it was when it was read, in what is in it. */
export function isAsRead({ file, state, hash, isYoung }: ReadFile): boolean {
  return (toFileState(findStats(file)) === state && !isYoung) || readCode(file).read.hash === hash;
}
