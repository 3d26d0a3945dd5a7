import { toJsonLines } from '../../../kit/line/json-lines.ts';
import type { Line } from '../../../kit/line/line.ts';
import { wrapLine } from '../../../kit/line/wrap-line.ts';
import { toClock } from '../../../screens/shell/shell-status.ts';
import type { ShownJob } from '../../../serve/jobs/job-news.ts';
import { toJobPhaseToken, toSpan } from './job-columns.ts';

export interface JobLinesOptions {
  readonly columns: number;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Whether the list has it still, else this is how it was. */
  readonly isListed: boolean;
}

/** All that is known of a job, to be read from top to bottom. Who draws it strips escape sequences. */
export function toJobLines(job: ShownJob, { columns, now, isListed }: JobLinesOptions): readonly Line[] {
  const { id, key, phase, attempts, maxAttempts, addedAt, startedAt, endedAt, dueAt, error, input, headers } = job;
  const facts: readonly (readonly [string, string | undefined])[] = [
    ['id', id],
    ['attempts', `${attempts} of ${maxAttempts}`],
    ['added at', toClock(addedAt)],
    ['last began', startedAt === undefined ? undefined : toClock(startedAt)],
    ['failed at', endedAt === undefined ? undefined : toClock(endedAt)],
    ['runs in', dueAt === undefined ? undefined : `${toSpan(dueAt - now)}, at ${toClock(dueAt)}`],
  ];
  const gone = 'It is not where it was: it runs or has run, waits elsewhere, or was removed. This is how it was.';
  const lines: readonly Line[] = [
    [
      { text: `${phase}  `, token: toJobPhaseToken(phase) },
      { text: key, token: 'title' },
    ],
    ...(isListed ? [] : [[{ text: gone, token: 'warning' }] satisfies Line]),
    ...facts.flatMap(([name, value]): readonly Line[] =>
      value === undefined ? [] : [[{ text: `  ${name.padEnd(12)}`, token: 'muted' }, { text: value }]],
    ),
    ...(error === undefined ? [] : toErrorLines(error)),
    [],
    [{ text: 'Input', token: 'title' }],
    ...(toJsonLines(input) ?? [[{ text: '  none', token: 'muted' }] satisfies Line]),
    ...(isEmpty(headers)
      ? []
      : [[], [{ text: 'Headers', token: 'title' }] satisfies Line, ...(toJsonLines(headers) ?? [])]),
  ];
  return lines.flatMap((line) => wrapLine(line, columns));
}

function toErrorLines(error: string): readonly Line[] {
  return [
    [],
    [{ text: 'Error of the last attempt', token: 'title' }],
    ...error.split('\n').map((text): Line => [{ text: `  ${text}`, token: 'danger' }]),
  ];
}

function isEmpty(headers: ShownJob['headers']): boolean {
  return typeof headers !== 'object' || headers === null || Object.keys(headers).length === 0;
}
