import { resolve } from 'node:path';
import { readSourceText } from '../manifest/code-frame.ts';
import type { Problem } from '../manifest/problem.ts';
import { findDecision, type RuleSettings } from '../manifest/rule-settings.ts';
import type { CheckedProject, IgnoredProblem } from './check-text.ts';

export interface JudgeOptions {
  /** Absolute path of the project. */
  readonly root: string;
  readonly settings: RuleSettings;
}

/** Problems with the severities of their project, without those that it or a comment accepts. */
export function judgeProblems(
  problems: readonly Problem[],
  { root, settings }: JudgeOptions,
): Pick<CheckedProject, 'problems' | 'ignored'> {
  const ignored: IgnoredProblem[] = [];
  const kept = problems.flatMap((problem): readonly Problem[] => {
    const { code, keys } = problem;
    const decision = findDecision({ rule: code, keys }, settings);
    const reason = decision.reason ?? findComment(problem, root);
    if (reason !== undefined) ignored.push({ problem, reason });
    const severity = (decision.severity ?? problem.severity) as Problem['severity'];
    return reason === undefined ? [{ ...problem, severity }] : [];
  });
  return { problems: kept, ignored };
}

/** The reason of `// capix-ignore <rule>: <reason>` on the line of a problem, or in the comment right above it. */
function findComment({ file, line, code }: Problem, root: string): string | undefined {
  if (file === undefined || line === undefined) return undefined;
  const lines = readSourceText(resolve(root, file)).split(/\r\n|\n/);
  for (let at = line; at > 0 && (at === line || /^\s*(\/\/|\*|\/\*)/.test(lines[at - 1] ?? '')); at--) {
    const [, rule, reason] = /capix-ignore\s+([\w-]+):\s*(\S.*?)\s*(?:\*\/)?$/.exec(lines[at - 1] ?? '') ?? [];
    if (rule === code) return reason;
  }
  return undefined;
}
