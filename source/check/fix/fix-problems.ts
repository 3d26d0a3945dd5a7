import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Manifest } from '../../manifest/manifest.ts';
import { LOCK_FILE, toLockText } from '../../sides/lock-state.ts';
import type { CheckedProject } from '../check-text.ts';
import { type FilePlan, type FixedProblem, planFixes } from './plan-fixes.ts';
import { writeFixes } from './write-fixes.ts';

/** A project as it was loaded and judged. */
export interface LoadedCheck {
  readonly manifest: Manifest;
  readonly checked: CheckedProject;
  /** When the load began, milliseconds since 1970. */
  readonly loadedAt: number;
}

export interface FixProblemsOptions {
  /** Loads and judges the project as its files are now. */
  readonly load: () => Promise<LoadedCheck>;
  /** Whether nothing is written. */
  readonly isDry: boolean;
}

export interface FixedCheck {
  /** As the project is afterwards. */
  readonly checked: CheckedProject;
  readonly fixed: readonly FixedProblem[];
}

/** Mends what is mechanical: first the source, then, of the contract that comes of it, the lock file. */
export async function fixProblems({ load, isDry }: FixProblemsOptions): Promise<FixedCheck> {
  const found = await load();
  const { root } = found.manifest.project;
  const plans = await planFixes(found.checked.problems, found);
  if (isDry) return { checked: found.checked, fixed: toFixed([...plans, ...(await planLock(found))]) };
  if (plans.length > 0) await writeFixes(plans, root);
  const left = plans.length > 0 ? await load() : found;
  const locks = await planLock(left);
  if (locks.length > 0) await writeFixes(locks, root);
  const { checked } = locks.length > 0 ? await load() : left;
  return { checked, fixed: toFixed([...plans, ...locks]) };
}

function toFixed(plans: readonly FilePlan[]): readonly FixedProblem[] {
  return plans.flatMap(({ fixed }) => fixed);
}

async function planLock({ manifest, checked }: LoadedCheck): Promise<readonly FilePlan[]> {
  const problem = checked.problems.find(({ code }) => code === 'stale-lock');
  if (problem === undefined) return [];
  const file = join(manifest.project.root, LOCK_FILE);
  return [{ file, before: await readFile(file, 'utf8'), after: toLockText(manifest), fixed: [{ problem }] }];
}
