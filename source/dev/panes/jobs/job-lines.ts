import { type Line, toJsonLines, wrapLine } from '../../../kit/line.ts';
import { toClock } from '../../../screens/shell/shell-status.ts';
import type { ShownJob } from '../../../serve/jobs/job-news.ts';

export interface JobLinesOptions {
  readonly columns: number;
  /** Whether the list has it still, else this is how it was. */
  readonly isListed: boolean;
}

/** All that is known of a job, to be read from top to bottom. Who draws it strips escape sequences. */
export function toJobLines(job: ShownJob, { columns, isListed }: JobLinesOptions): readonly Line[] {
  const { id, key, attempts, maxAttempts, addedAtMs, failedAtMs, error, input, headers } = job;
  const facts: readonly (readonly [string, string])[] = [
    ['id', id],
    ['attempts', `${attempts} of ${maxAttempts}`],
    ['added at', toClock(addedAtMs)],
    ['failed at', toClock(failedAtMs)],
  ];
  const lines: readonly Line[] = [
    [
      { text: 'failed  ', token: 'danger' },
      { text: key, token: 'title' },
    ],
    ...(isListed ? [] : [toTitle('It is no longer among the failed ones. This is how it was.', 'warning')]),
    ...facts.map(([name, value]): Line => [{ text: `  ${name.padEnd(12)}`, token: 'muted' }, { text: value }]),
    [],
    toTitle('Error of the last attempt'),
    ...error.split('\n').map((text): Line => [{ text: `  ${text}`, token: 'danger' }]),
    [],
    toTitle('Input'),
    ...(toJsonLines(input) ?? [[{ text: '  none', token: 'muted' }] satisfies Line]),
    ...(isEmpty(headers) ? [] : [[], toTitle('Headers'), ...(toJsonLines(headers) ?? [])]),
  ];
  return lines.flatMap((line) => wrapLine(line, columns));
}

function toTitle(text: string, token: 'title' | 'warning' = 'title'): Line {
  return [{ text, token }];
}

function isEmpty(headers: ShownJob['headers']): boolean {
  return typeof headers !== 'object' || headers === null || Object.keys(headers).length === 0;
}
