import { resolve } from 'node:path';
import { findNearest } from '../../server-runtime/errors/expect-options.ts';
import { checkRules, type Problem, toProjectProblem } from '../manifest/check-rules.ts';
import { readSourceText } from '../manifest/code-frame.ts';
import { findContract, type Manifest, toCapabilities } from '../manifest/manifest.ts';
import { findDecision, type RuleSettings } from '../manifest/rule-settings.ts';
import { findLockState, LOCK_FILE } from '../sides/lock-file.ts';
import type { CheckedProject } from './check-text.ts';
import { findToolMistakes } from './rules/find-declaration-mistakes.ts';

interface CheckProjectOptions {
  /** The decisions of the project about rules. @default nothing */
  readonly settings?: RuleSettings | undefined;
  /** Whether the rules for AI agents count. @default false */
  readonly agents?: boolean;
}

/**
 * The findings of a project with the severities that it gives them, errors first, else in order. Reads its lock file
 * and the findings' lines.
 */
export function checkProject(
  manifest: Manifest,
  options: CheckProjectOptions = {},
): CheckedProject {
  const { settings = {}, agents = false } = options;
  const capabilities = toCapabilities(manifest);
  const found = [
    ...manifest.problems,
    ...(agents ? capabilities.flatMap(findToolMistakes) : []),
    ...findStaleLock(manifest),
    ...findUnknownRules(settings),
  ];
  const judged = found.map((problem) => {
    const decision = findDecision({ rule: problem.code, keys: problem.keys }, settings);
    const { severity = problem.severity, reason = findComment(problem, manifest.project.root) } =
      decision;
    return { problem, severity: severity as Problem['severity'], reason };
  });
  const rank = { error: 0, warning: 1 } as const;
  return {
    capabilityCount: capabilities.length,
    problems: judged
      .flatMap(({ problem, severity, reason }) =>
        reason === undefined ? [{ ...problem, severity }] : [],
      )
      .toSorted((a, b) => rank[a.severity] - rank[b.severity]),
    ignored: judged.flatMap(({ problem, reason }) =>
      reason === undefined ? [] : [{ problem, reason }],
    ),
  };
}

/** The reason of `// capix-ignore <rule>: <reason>` on the line of a problem, or in the comment right above it. */
function findComment({ file, line, code }: Problem, root: string): string | undefined {
  if (file === undefined || line === undefined) return undefined;
  const lines = readSourceText(resolve(root, file)).split(/\r\n|\n/);
  for (let at = line; at > 0; at--) {
    const text = lines[at - 1] ?? '';
    if (at < line && !/^\s*(\/\/|\*|\/\*)/.test(text)) return undefined;
    const ignored = IGNORED.exec(text)?.groups;
    if (ignored?.['rule'] === code) return ignored['reason'];
  }
  return undefined;
}

const IGNORED = /capix-ignore\s+(?<rule>[\w-]+):\s*(?<reason>\S.*?)\s*(?:\*\/)?$/;

/** Whether the findings make the command fail. */
export function failsCheck(
  { problems }: Pick<CheckedProject, 'problems'>,
  { strict }: { readonly strict: boolean },
): boolean {
  return problems.some(({ severity }) => severity === 'error' || strict);
}

/** A project without a lock file has nothing that could be out of date. */
function findStaleLock(manifest: Manifest): readonly Problem[] {
  const { project } = manifest;
  const contract = findContract(manifest);
  if (contract === undefined || findLockState(project.root, contract) !== 'stale') return [];
  const message = `${LOCK_FILE} is not the contract that the capabilities have now.`;
  const hint = `See what changed with \`capix diff ${LOCK_FILE}\`, then run \`capix lock\`.`;
  return [toProjectProblem('stale-lock', { message, hint, file: LOCK_FILE })];
}

function findUnknownRules({ rules = {}, file }: RuleSettings): readonly Problem[] {
  return Object.keys(rules)
    .filter((rule) => !Object.hasOwn(checkRules, rule))
    .map((rule) => {
      const nearest = findNearest(rule, Object.keys(checkRules));
      const meant = nearest === undefined ? '' : ` Did you mean \`${nearest}\`?`;
      const message = `There is no rule \`${rule}\`.${meant}`;
      const hint = 'docs/check-rules.md lists the rules of `capix check`.';
      return toProjectProblem('unknown-rule', { message, hint, file });
    });
}
