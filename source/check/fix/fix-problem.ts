import type { ProjectState } from '../../load/project-state.ts';
import type { Problem } from '../../manifest/problem.ts';

/** Mends one problem of a project that is watched, where that is mechanical; gives a sentence on what came of it. Never rejects. */
export async function fixProblem(
  problem: Problem,
  { manifest, isLoading, loadedAt = 0, durationMs = 0 }: ProjectState,
): Promise<string> {
  if (problem.code === 'stale-lock') return 'capix lock, or capix check --fix, writes the file again';
  if (problem.fix === undefined || manifest === undefined) return 'This problem has no mechanical fix';
  if (isLoading) return 'Nothing was written: the project is being loaded again';
  const { planFixes } = await import('./plan-fixes.ts');
  const { writeFixes } = await import('./write-fixes.ts');
  try {
    const { plans, left } = await planFixes([problem], { manifest, loadedAt: loadedAt - durationMs });
    const [change] = plans.flatMap(({ fixed }) => fixed.flatMap((each) => each.change ?? []));
    if (change === undefined) return `Nothing was written: ${left[0]?.reason ?? 'its place is not certain'}`;
    await writeFixes(plans, manifest.project.root);
    return `Line ${change.line} is now: ${change.after}`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
