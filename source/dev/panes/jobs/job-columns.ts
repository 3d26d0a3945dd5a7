import type { JobPhase } from '../../../../server-runtime/server/jobs/job-board.ts';
import { type Line, toCell } from '../../../kit/line/line.ts';
import type { Token } from '../../../kit/theme/tokens.ts';
import { toClock } from '../../../screens/shell/shell-status.ts';
import type { ShownJob } from '../../../serve/jobs/job-news.ts';
import { toLongest, toSpacedCell } from '../spaced-cell.ts';

/** Widths of what a row of jobs shows, with the space to the next column; 0 for what has no room. */
export interface JobColumns {
  readonly key: number;
  /** 0 also where the id of a job stands in the column of the error, as long as it has none. */
  readonly id: number;
  readonly attempts: number;
  readonly time: number;
  readonly error: number;
}

const PHASE = 9;
const ATTEMPTS = 7;
const TIME = 11;
/** Narrower, an error says little. */
const MIN_ERROR = 26;

/** Divides a row: the error comes first, since nothing else tells of it. An id is shown whole where the error has as much room, else in its place. */
export function toJobColumns(jobs: readonly ShownJob[], columns: number): JobColumns {
  const longestKey = toLongest(jobs.map((job) => job.key));
  const longestId = toLongest(jobs.map(({ id }) => id));
  const wanted = jobs.some(({ error }) => error !== undefined) ? Math.max(MIN_ERROR, longestId) : 0;
  const key = Math.min(longestKey, Math.max(10, Math.floor((columns - PHASE) * 0.4)));
  const room = columns - PHASE - key;
  const time = room - TIME >= MIN_ERROR ? TIME : 0;
  const attempts = room - TIME - ATTEMPTS >= MIN_ERROR ? ATTEMPTS : 0;
  const rest = room - attempts - time;
  const id = rest - longestId >= wanted ? longestId : 0;
  return { key, id, attempts, time, error: rest - id };
}

/** `now`: milliseconds since 1970. */
export function toJobLine(job: ShownJob, { key, id, attempts, time, error }: JobColumns, now: number): Line {
  const says = job.error ?? (id === 0 ? job.id : '');
  return [
    ...toCell(job.phase, { width: PHASE, token: toJobPhaseToken(job.phase) }),
    ...toSpacedCell(job.key, { width: key, token: undefined }),
    ...toSpacedCell(job.id, { width: id, token: 'muted' }),
    { text: attempts === 0 ? '' : toAttemptsText(job).padEnd(attempts) },
    { text: time === 0 ? '' : toTimeText(job, now).padEnd(time), token: 'muted' },
    ...toCell(says, { width: error, token: job.phase === 'failed' && says === job.error ? 'danger' : 'muted' }),
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
