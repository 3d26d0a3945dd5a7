import type { JobPhase } from '../../../../server-runtime/server/jobs/job-board.ts';
import { type Line, toCell } from '../../../kit/line/line.ts';
import type { Token } from '../../../kit/theme/tokens.ts';
import { toClock } from '../../../screens/shell/shell-status.ts';
import type { ShownJob } from '../../../serve/jobs/job-news.ts';
import { toLongest, toSpacedCell } from '../spaced-cell.ts';

/** Widths of what a row of jobs shows, with the space to the next column; 0 for what has no room. */
export interface JobColumns {
  readonly key: number;
  readonly id: number;
  readonly attempts: number;
  readonly time: number;
  readonly error: number;
}

const PHASE = 9;
const ATTEMPTS = 7;
const TIME = 11;
const MAX_ID = 28;
/** Narrower, an error says nothing. */
const MIN_ERROR = 20;

/** Divides a row: key and id by what they need, the error has the rest. */
export function toJobColumns(jobs: readonly ShownJob[], columns: number): JobColumns {
  const room = columns - PHASE;
  const key = Math.min(toLongest(jobs.map((job) => job.key)), Math.max(10, Math.floor(room * 0.4)));
  const attempts = room >= 44 ? ATTEMPTS : 0;
  const time = room >= 34 ? TIME : 0;
  const rest = room - key - attempts - time;
  const longestId = Math.min(MAX_ID, toLongest(jobs.map(({ id }) => id)));
  const id = rest - longestId >= MIN_ERROR ? longestId : Math.max(0, rest);
  return { key, id, attempts, time, error: rest - id };
}

/** `now`: milliseconds since 1970. */
export function toJobLine(job: ShownJob, { key, id, attempts, time, error }: JobColumns, now: number): Line {
  return [
    ...toCell(job.phase, { width: PHASE, token: toJobPhaseToken(job.phase) }),
    ...toSpacedCell(job.key, { width: key, token: undefined }),
    ...toSpacedCell(job.id, { width: id, token: 'muted' }),
    { text: attempts === 0 ? '' : toAttemptsText(job).padEnd(attempts) },
    { text: time === 0 ? '' : toTimeText(job, now).padEnd(time), token: 'muted' },
    ...(error === 0
      ? []
      : toCell(job.error ?? '', { width: error, token: job.phase === 'failed' ? 'danger' : 'muted' })),
  ];
}

export function toJobPhaseToken(phase: JobPhase): Token {
  switch (phase) {
    case 'failed':
      return 'danger';
    case 'active':
      return 'success';
    case 'waiting':
      return 'accent';
    case 'delayed':
      return 'muted';
  }
}

/** `2 of 5`; empty before the first. */
function toAttemptsText({ attempts, maxAttempts }: ShownJob): string {
  return attempts === 0 ? '' : `${attempts} of ${maxAttempts}`;
}

/** When it failed or was added, how long it runs, how long until it may. */
function toTimeText({ phase, addedAt, startedAt, endedAt, dueAt }: ShownJob, now: number): string {
  switch (phase) {
    case 'failed':
      return toClock(endedAt ?? addedAt);
    case 'active':
      return `for ${toSpan(now - (startedAt ?? now))}`;
    case 'waiting':
      return toClock(addedAt);
    case 'delayed':
      return dueAt === undefined ? '' : `in ${toSpan(dueAt - now)}`;
  }
}

/** `7 s`, `12 min`, `5 h`, `3 days` */
export function toSpan(durationMs: number): string {
  const seconds = Math.max(0, Math.round(durationMs / 1_000));
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 7_200) return `${Math.round(seconds / 60)} min`;
  return seconds < 172_800 ? `${Math.round(seconds / 3_600)} h` : `${Math.round(seconds / 86_400)} days`;
}
