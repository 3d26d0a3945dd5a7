import { resolve } from 'node:path';
import { type RouteProblem, toOverrideLine } from '../../server-runtime/routing/route.ts';
import { checkRules, type Problem } from './check-rules.ts';
import { readSourceText } from './code-frame.ts';
import { type Manifest, toCapabilities } from './manifest.ts';
import { toProjectPath } from './project.ts';

/** The problems of the route table, each at the capability or override to change, whose source is read. */
export function toRouteProblems(
  problems: readonly RouteProblem[],
  manifest: Manifest,
): readonly Problem[] {
  const sources = new Map(toCapabilities(manifest).map(({ key, facts }) => [key, facts.source]));
  return problems.map((problem) => {
    const { key, kind } = problem;
    const override = kind.endsWith('-override') ? findOverridePlace(key, manifest) : undefined;
    const { file, line }: Pick<Problem, 'file' | 'line'> = override ??
      sources.get(key) ?? { file: manifest.project.config };
    // Of an override that changes nothing a server only warns, but nobody writes one for that.
    return { severity: checkRules[kind].severity, code: kind, ...toProblem(problem), file, line };
  });
}

function toProblem(problem: RouteProblem): Pick<Problem, 'keys' | 'message' | 'hint'> {
  const { key, kind, message } = problem;
  if (kind === 'duplicate-route') {
    const { keys, method, path, override } = problem;
    const [first, second] = keys;
    const own = `give \`${second}\` a path of its own: overrides: { ${toOverrideLine(second, override)} }`;
    const both = `\`${first}\` and \`${second}\` are both ${method} ${path}.`;
    return { keys, message: both, hint: `Rename one of them, or ${own}` };
  }
  const hint =
    kind === 'invalid-override'
      ? "Write it as `{ method: 'GET', path: '/…' }`, or leave it out."
      : undefined;
  return { keys: [key], hint, ...splitHint(message) };
}

/** A text as what is wrong, its first sentence or clause, and what to do. */
export function splitHint(text: string): Pick<Problem, 'message' | 'hint'> {
  const { message = text, hint = '' } =
    /^(?<message>.+?)(?:; |(?<=\.) (?=[A-Z]))(?<hint>.+)$/s.exec(text)?.groups ?? {};
  if (hint === '') return { message };
  return {
    message: message.replace(/\.?$/, '.'),
    hint: hint.charAt(0).toUpperCase() + hint.slice(1),
  };
}

/** The place of an override by its key: in the capabilities file, then in its imports; undefined without one. */
function findOverridePlace(
  key: string,
  { project, files }: Manifest,
): Pick<Problem, 'file' | 'line'> | undefined {
  const name = key.replaceAll('.', String.raw`\.`);
  const quoted = `(["'\`])${name}\\1`;
  const entry = new RegExp(`^(?!\\s*(?://|\\*)).*(?:${quoted}|(?<![\\w$.])${name})\\s*:\\s*\\{`);
  for (const file of new Set([resolve(project.root, project.config), ...files])) {
    const lines = readSourceText(file).split('\n');
    const at = lines.findIndex((line) => entry.test(line));
    if (at !== -1) return { file: toProjectPath(file, project.root), line: at + 1 };
  }
  return undefined;
}
