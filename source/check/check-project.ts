import type { Manifest } from '../manifest/manifest.ts';
import type { CheckedProject } from './check-text.ts';

/** The findings of a project, errors first; within a severity in the order in which they were found. */
export function checkProject({ capabilities, problems }: Pick<Manifest, 'capabilities' | 'problems'>): CheckedProject {
  const rank = { error: 0, warning: 1 } as const;
  return {
    capabilityCount: capabilities.length,
    problems: problems.toSorted((a, b) => rank[a.severity] - rank[b.severity]),
  };
}

/** Whether the findings make the command fail. */
export function failsCheck({ problems }: CheckedProject, { strict }: { readonly strict: boolean }): boolean {
  return problems.some(({ severity }) => severity === 'error' || strict);
}
