import { resolve } from 'node:path';
import { type RouteProblem, toOverrideLine } from '../../server-runtime/routing/route.ts';
import { checkRules } from './check-rules.ts';
import { readSourceText } from './code-frame.ts';
import { toCapabilities } from './listed.ts';
import type { Manifest } from './manifest.ts';
import type { Problem } from './problem.ts';
import { toProjectPath } from './project.ts';

/** The problems of the route table, each at the capability or override to change, whose source is read. */
export function toRouteProblems(problems: readonly RouteProblem[], manifest: Manifest): readonly Problem[] {
  const { project, files } = manifest;
  const sources = new Map(toCapabilities(manifest).map(({ key, facts }) => [key, facts.source]));
  return problems.map((problem) => {
    const { key: toBlame } = problem;
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
      const { keys, method, path } = problem;
      const [first, second] = keys;
      const override = toOverrideLine(second, problem.override);
      return {
        keys,
        message: `\`${first}\` and \`${second}\` are both ${method} ${path}.`,
        hint: `Rename one of them, or give \`${second}\` a path of its own: overrides: { ${override} }`,
      };
    }
    case 'invalid-override': {
      const name = problem.key.includes('.') ? `'${problem.key}'` : problem.key;
      const hint = `Write it as \`${name}: { method: 'GET', path: '/…' }\`, or leave it out.`;
      return { keys: [problem.key], hint, ...splitHint(problem.message) };
    }
    case 'unknown-override':
    case 'intent-contradiction':
    case 'name-says-more':
      return { keys: [problem.key], ...splitHint(problem.message) };
  }
}

/** A text as what is wrong, its first sentence or clause, and what to do. */
export function splitHint(text: string): Pick<Problem, 'message' | 'hint'> {
  const [, message = text, hint = ''] = /^(.+?)(?:; |(?<=\.) (?=[A-Z]))(.+)$/s.exec(text) ?? [];
  if (hint === '') return { message };
  return { message: message.replace(/\.?$/, '.'), hint: hint.charAt(0).toUpperCase() + hint.slice(1) };
}

/** The place of an override by its key: in the capabilities file, then in its imports; undefined without one. */
export function findOverridePlace(
  key: string,
  { project, files }: Pick<Manifest, 'project' | 'files'>,
): { readonly file: string; readonly line: number } | undefined {
  const name = key.replaceAll('.', String.raw`\.`);
  const quoted = `(["'\`])${name}\\1`;
  const entry = new RegExp(`^(?!\\s*(?://|\\*)).*(?:${quoted}|(?<![\\w$.])${name})\\s*:\\s*\\{`);
  for (const file of new Set([resolve(project.root, project.config), ...files])) {
    const at = readSourceText(file)
      .split('\n')
      .findIndex((line) => entry.test(line));
    if (at !== -1) return { file: toProjectPath(file, project.root), line: at + 1 };
  }
  return undefined;
}
