import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { findStats } from '../../system/paths.ts';

/** A fact that the hooks tell of the code that they load. */
export type CodeNote =
  | ReadFile
  /** A package was found, by the name that the code imports it by. */
  | { readonly kind: 'package'; readonly name: string; readonly url: string }
  /** An import of a file in a folder (absolute path) was not found: `./text.ts`, `@/lib/text`. */
  | { readonly kind: 'missing'; readonly text: string; readonly folder: string };

export interface ReadFile {
  readonly kind: 'file';
  /** Absolute path. */
  readonly file: string;
  /** The time of the file when it was read, milliseconds since 1970; 0 where it was not there. */
  readonly mtimeMs: number;
  /** The size in bytes. */
  readonly size: number;
  /** The hash of its text. */
  readonly hash: string;
  /** Whether it was so young that it may have been changed since without another time. */
  readonly isYoung: boolean;
}

/** A file that is so young may be changed once more without another time, milliseconds. */
const YOUNG_MS = 50;

/** The orders to the hooks before code is loaded. */
export interface HooksOrder {
  /** Absolute paths of files that will probably be needed: they are compiled ahead. */
  readonly files: readonly string[];
  /** Whether settings may have changed: what is known of them is read again. */
  readonly isAnew?: boolean;
  /** Whether a debugger pauses where the first file begins. */
  readonly pauses?: boolean | undefined;
}

/** Reads a file (absolute path); of one that is not there the text is empty. */
export function readCode(file: string): { readonly read: ReadFile; readonly text: string } {
  const { mtimeMs = 0, size = 0 } = findStats(file) ?? {};
  const isYoung = Date.now() - mtimeMs < YOUNG_MS;
  const text = findText(file);
  const hash = createHash('sha1').update(text).digest('base64');
  return { read: { kind: 'file', file, mtimeMs, size, hash, isYoung }, text };
}

/** Whether a file is as it was when it was read, in what is in it. */
export function isAsRead({ file, mtimeMs, size, hash, isYoung }: ReadFile): boolean {
  const { mtimeMs: nowMs = 0, size: nowSize = 0 } = findStats(file) ?? {};
  return (nowMs === mtimeMs && nowSize === size && !isYoung) || readCode(file).read.hash === hash;
}

function findText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return ''; // Whoever imports it is told.
  }
}
