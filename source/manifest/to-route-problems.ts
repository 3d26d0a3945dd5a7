import { type RouteProblem, toOverrideLine } from '../../server-runtime/routing/route.ts';
import { toCapabilities } from './listed.ts';
import type { Manifest } from './manifest.ts';
import { checkRules } from './mistakes/check-rules.ts';
import { findOverridePlace } from './mistakes/find-override-place.ts';
import { splitHint } from './mistakes/split-hint.ts';
import type { Problem } from './problem.ts';

/** The problems of the route table, each at the capability or override to change, whose source is read. */
export function toRouteProblems(problems: readonly RouteProblem[], manifest: Manifest): readonly Problem[] {
  const { project, files } = manifest;
  const sources = new Map(toCapabilities(manifest).map(({ key, facts }) => [key, facts.source]));
  return problems.map((problem) => {
    const toBlame = problem.kind === 'duplicate-route' ? problem.keys[1] : problem.key;
    const isOverride = problem.kind === 'unknown-override' || problem.kind === 'invalid-override';
    const override = isOverride ? findOverridePlace(toBlame, { project, files }) : undefined;
    const { file, line }: Pick<Problem, 'file' | 'line'> = override ?? sources.get(toBlame) ?? { file: project.config };
    // Of an override that changes nothing a server only warns, but nobody writes one for that.
    return { severity: checkRules[problem.kind].severity, code: problem.kind, ...toProblem(problem), file, line };
  });
}

function toProblem(problem: RouteProblem): Pick<Problem, 'keys' | 'message' | 'hint'> {
  switch (problem.kind) {
    case 'duplicate-route': {
      const [first, second] = problem.keys;
      const { method, path } = problem;
      const override = toOverrideLine(second, problem.override);
      return {
        keys: problem.keys,
        message: `\`${first}\` and \`${second}\` are both ${method} ${path}.`,
        hint: `Rename one of them, or give \`${second}\` a path of its own: overrides: { ${override} }`,
      };
    }
    case 'invalid-override': {
      const hint = `Write it as \`${problem.key.includes('.') ? `'${problem.key}'` : problem.key}: { method: 'GET', path: '/…' }\`, or leave it out.`;
      return { keys: [problem.key], hint, ...splitHint(problem.message) };
    }
    case 'unknown-override':
    case 'intent-contradiction':
    case 'name-says-more':
      return { keys: [problem.key], ...splitHint(problem.message) };
  }
}
