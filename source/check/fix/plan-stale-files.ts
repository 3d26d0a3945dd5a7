import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Problem } from '../../manifest/problem.ts';
import { LOCK_FILE, toLockText } from '../../sides/lock-state.ts';
import type { LoadedCheck } from './fix-problems.ts';
import type { FilePlan } from './plan-fixes.ts';

/** A file that a command has written, and that it would write otherwise now. */
export interface StaleFile {
  /** The finding about it. */
  readonly problem: Problem;
  /** Absolute path. */
  readonly file: string;
  readonly before: string;
  readonly after: string;
}

/** Plans the files of which only the text is old: the lock file, and those with the mark of a command. Not those that the project accepts as they are. */
export function planStaleFiles({ manifest, checked, stale }: LoadedCheck): readonly FilePlan[] {
  const { root } = manifest.project;
  const lock = checked.problems.find(({ code }) => code === 'stale-lock');
  const files = stale.flatMap(({ problem, ...file }) => {
    const told = checked.problems.find(({ code, file: name }) => code === problem.code && name === problem.file);
    return told === undefined ? [] : [{ ...file, problem: told }];
  });
  const found = lock === undefined ? files : [...files, toStaleLock(lock, { root, text: toLockText(manifest) })];
  return found.map(({ problem, file, before, after }) => ({
    file,
    before,
    after: before.includes('\r\n') ? after.replaceAll('\n', '\r\n') : after,
    fixed: [{ problem }],
  }));
}

function toStaleLock(
  problem: Problem,
  { root, text: after }: { readonly root: string; readonly text: string },
): StaleFile {
  const file = join(root, LOCK_FILE);
  return { problem, file, before: readFileSync(file, 'utf8'), after };
}
