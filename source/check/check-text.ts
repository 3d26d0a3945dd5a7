import type { Problem } from '../manifest/problem.ts';
import { stripControl } from '../terminal/strip-control.ts';
import type { IgnoredProblem } from './judge-problems.ts';

export interface CheckedProject {
  readonly capabilityCount: number;
  /** Errors first, then warnings. */
  readonly problems: readonly Problem[];
  /** The findings that the project accepts, each with its reason. */
  readonly ignored: readonly IgnoredProblem[];
}

/**
 * The findings as text, with a line feed at its end and free of escape sequences:
 *
 *     error    duplicate-route  src/users.ts:12
 *       `users.listUsers` and `users.findUsers` are both GET /users.
 *       Rename one, or …
 *
 *     1 error, 0 warnings in 12 capabilities
 */
export function toCheckText({ capabilityCount, problems, ignored }: CheckedProject): string {
  const accepted = ignored.map(
    ({ problem: { code, keys, message }, reason }) => `ignored  ${code}  ${keys.join(', ')}\n  ${reason}: ${message}`,
  );
  const summary = toSummary({ capabilityCount, problems });
  return stripControl(`${[...problems.map(toFinding), ...accepted, summary].join('\n\n')}\n`);
}

function toFinding({ severity, code, message, hint, file, line }: Problem): string {
  const place = file === undefined ? '' : line === undefined ? file : `${file}:${line}`;
  const text = [message, hint].filter((part) => part !== undefined).join('\n');
  return [`${severity.padEnd(7)}  ${code}  ${place}`.trimEnd(), ...text.split('\n').map((part) => `  ${part}`)].join(
    '\n',
  );
}

function toSummary({ capabilityCount, problems }: Pick<CheckedProject, 'capabilityCount' | 'problems'>): string {
  const capabilities = toCount(capabilityCount, 'capability', 'capabilities');
  if (problems.length === 0) return `No problems in ${capabilities}`;
  const errors = problems.filter(({ severity }) => severity === 'error').length;
  return `${toCount(errors, 'error')}, ${toCount(problems.length - errors, 'warning')} in ${capabilities}`;
}

function toCount(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
