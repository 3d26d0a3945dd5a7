import { toOverrideLine } from '../../server-runtime/routing/route-override.ts';
import type { RouteProblem } from '../../server-runtime/routing/route-problem.ts';
import type { Manifest } from './manifest.ts';
import { findOverridePlace } from './mistakes/find-override-place.ts';
import { splitHint } from './mistakes/split-hint.ts';
import type { Problem } from './problem.ts';

/** The problems of the route table, each at the capability or the override to change. Reads the source of overrides that are wrong. */
export function toRouteProblems(
  problems: readonly RouteProblem[],
  { capabilities, project, files }: Pick<Manifest, 'capabilities' | 'project' | 'files'>,
): readonly Problem[] {
  const sources = new Map(capabilities.map(({ key, source }) => [key, source]));
  return problems.map((problem) => {
    const toBlame = problem.kind === 'duplicate-route' ? problem.keys[1] : problem.key;
    const isOverride = problem.kind === 'unknown-override' || problem.kind === 'invalid-override';
    const override = isOverride ? findOverridePlace(toBlame, { project, files }) : undefined;
    const { file, line }: Pick<Problem, 'file' | 'line'> = override ?? sources.get(toBlame) ?? { file: project.config };
    return { ...toProblem(problem), code: problem.kind, file, line };
  });
}

function toProblem(problem: RouteProblem): Omit<Problem, 'code'> {
  const { severity } = problem;
  switch (problem.kind) {
    case 'duplicate-route': {
      const [first, second] = problem.keys;
      const { method, path } = problem;
      const override = toOverrideLine(second, problem.override);
      return {
        severity,
        keys: problem.keys,
        message: `\`${first}\` and \`${second}\` are both ${method} ${path}.`,
        hint: `Rename one of them, or give \`${second}\` a path of its own: overrides: { ${override} }`,
      };
    }
    case 'unknown-override':
      // A server starts with it, but nobody writes an override to have no effect.
      return { severity: 'error', keys: [problem.key], ...splitHint(problem.message) };
    case 'invalid-override': {
      const hint = `Write it as \`${problem.key.includes('.') ? `'${problem.key}'` : problem.key}: { method: 'GET', path: '/…' }\`, or leave it out.`;
      return { severity, keys: [problem.key], hint, ...splitHint(problem.message) };
    }
    case 'intent-contradiction':
    case 'name-says-more':
      return { severity, keys: [problem.key], ...splitHint(problem.message) };
  }
}
