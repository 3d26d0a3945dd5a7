import { resolve } from 'node:path';
import { readSourceText } from '../manifest/code-frame.ts';
import type { Problem } from '../manifest/problem.ts';
import { findDecision, type RuleSettings } from '../manifest/rule-settings.ts';

/** A problem that is known and accepted. */
export interface IgnoredProblem {
  readonly problem: Problem;
  readonly reason: string;
}

export interface JudgeOptions {
  /** Absolute path of the project. */
  readonly root: string;
  readonly settings: RuleSettings;
}

/** Problems with the severities of their project, without those that it or a comment accepts. */
export function judgeProblems(
  problems: readonly Problem[],
  { root, settings }: JudgeOptions,
): { readonly problems: readonly Problem[]; readonly ignored: readonly IgnoredProblem[] } {
  const linesOf = new Map<string, readonly string[]>();
  const readLines = (file: string): readonly string[] => {
    const lines = linesOf.get(file) ?? readSourceText(resolve(root, file)).split(/\r\n|\n/);
    linesOf.set(file, lines);
    return lines;
  };
  const ignored: IgnoredProblem[] = [];
  const kept = problems.flatMap((problem): readonly Problem[] => {
    const { code, keys, file, line } = problem;
    const { severity, ...decided } = findDecision({ rule: code, keys }, settings);
    const isPlaced = file !== undefined && line !== undefined;
    const reason = decided.reason ?? (isPlaced ? findComment(readLines(file), line, code) : undefined);
    if (reason !== undefined) {
      ignored.push({ problem, reason });
      return [];
    }
    return [severity === undefined ? problem : { ...problem, severity: severity as Problem['severity'] }];
  });
  return { problems: kept, ignored };
}

/** The reason of `// capix-ignore <rule>: <reason>` on a line, or in the comment right above it. */
function findComment(lines: readonly string[], line: number, code: string): string | undefined {
  for (let at = line; at > 0 && (at === line || /^\s*(\/\/|\*|\/\*)/.test(lines[at - 1] ?? '')); at--) {
    const [, rule, reason] = /capix-ignore\s+([\w-]+):\s*(\S.*?)\s*(?:\*\/)?$/.exec(lines[at - 1] ?? '') ?? [];
    if (rule === code) return reason;
  }
  return undefined;
}
