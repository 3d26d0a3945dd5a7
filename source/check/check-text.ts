import { toOneLine } from '../kit/line.ts';
import type { Problem } from '../manifest/check-rules.ts';
import { stripControl } from '../terminal/strip-control.ts';
import { toCount } from '../values/count.ts';

export interface CheckedProject {
  readonly capabilityCount: number;
  /** Errors first, then warnings. */
  readonly problems: readonly Problem[];
  /** The findings that the project accepts, each with its reason. */
  readonly ignored: readonly { readonly problem: Problem; readonly reason: string }[];
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
  const found = problems.map((problem) => {
    const { severity, code, message, hint = '' } = problem;
    const head = toOneLine(`${severity.padEnd(7)}  ${code}  ${toPlaceText(problem)}`).trimEnd();
    const lines = [head, ...message.split(beforeOverride).map(toOneLine), toOneLine(hint)];
    return lines.join('\n').trimEnd().replaceAll('\n', '\n  ');
  });
  const accepted = ignored.map(({ problem: { code, keys, message }, reason }) =>
    [`ignored  ${code}  ${keys.join(', ')}`, `  ${reason}: ${message}`].map(toOneLine).join('\n'),
  );
  const errors = problems.filter(({ severity }) => severity === 'error').length;
  const counts = `${toCount(errors, 'error')}, ${toCount(problems.length - errors, 'warning')}`;
  const outcome = problems.length === 0 ? 'No problems' : counts;
  const summary = `${outcome} in ${toCapabilityCount(capabilityCount)}`;
  return stripControl(`${[...found, ...accepted, summary].join('\n\n')}\n`);
}

/** The one line that a message of ours has behind its first. Names of others are part of a line. */
const beforeOverride = /\n(?= {2}overrides: )/;

/** `src/users.ts:12` */
export function toPlaceText({ file = '', line }: Pick<Problem, 'file' | 'line'>): string {
  return line === undefined ? file : `${file}:${line}`;
}

export function toCapabilityCount(count: number): string {
  return toCount(count, 'capability', 'capabilities');
}
