import type { Manifest } from '../../manifest/manifest.ts';
import type { CheckedProject } from '../check-text.ts';
import { type FilePlan, type FixedProblem, type LeftProblem, planFixes } from './plan-fixes.ts';
import { planStaleFiles, type StaleFile } from './plan-stale-files.ts';
import { writeFixes } from './write-fixes.ts';

/** A project as it was loaded and judged. */
export interface LoadedCheck {
  readonly manifest: Manifest;
  readonly checked: CheckedProject;
  /** The files that commands have written, and would write otherwise now. */
  readonly stale: readonly StaleFile[];
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
  /** The project after the fixes. */
  readonly checked: CheckedProject;
  readonly fixed: readonly FixedProblem[];
  /** The problems that are still there, each with the reason. */
  readonly left: readonly LeftProblem[];
}

/** Mends what is mechanical: first the source, then the files that are made of it. */
export async function fixProblems({ load, isDry }: FixProblemsOptions): Promise<FixedCheck> {
  const found = await load();
  const { root } = found.manifest.project;
  const { plans, left } = await planFixes(found.checked.problems, found);
  if (isDry) {
    const all = [...plans, ...planStaleFiles(found)];
    return { checked: found.checked, fixed: toFixed(all), left: withoutFixed(left, all) };
  }
  if (plans.length > 0) await writeFixes(plans, root);
  const then = plans.length > 0 ? await load() : found;
  const stale = planStaleFiles(then);
  if (stale.length > 0) await writeFixes(stale, root);
  const { checked } = stale.length > 0 ? await load() : then;
  const rest =
    plans.length + stale.length === 0
      ? left
      : (await planFixes(checked.problems, { ...found, loadedAt: Date.now() })).left;
  return { checked, fixed: toFixed([...plans, ...stale]), left: rest };
}

function toFixed(plans: readonly FilePlan[]): readonly FixedProblem[] {
  return plans.flatMap(({ fixed }) => fixed);
}

function withoutFixed(left: readonly LeftProblem[], plans: readonly FilePlan[]): readonly LeftProblem[] {
  const fixed = new Set(toFixed(plans).map(({ problem }) => problem));
  return left.filter(({ problem }) => !fixed.has(problem));
}
