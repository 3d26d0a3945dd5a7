import { type Line, toCell } from '../../../kit/line/line.ts';
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

const ATTEMPTS = 7;
const TIME = 11;
/** Narrower, an error says little. */
const MIN_ERROR = 26;

/** Divides a row: the error comes first, since nothing else tells of it. An id is shown whole where the error has as much room. */
export function toJobColumns(jobs: readonly ShownJob[], columns: number): JobColumns {
  const longestId = toLongest(jobs.map(({ id }) => id));
  const key = Math.min(toLongest(jobs.map((job) => job.key)), Math.max(10, Math.floor(columns * 0.4)));
  const room = columns - key;
  const time = room - TIME >= MIN_ERROR ? TIME : 0;
  const attempts = room - TIME - ATTEMPTS >= MIN_ERROR ? ATTEMPTS : 0;
  const rest = room - attempts - time;
  const id = rest - longestId >= Math.max(MIN_ERROR, longestId) ? longestId : 0;
  return { key, id, attempts, time, error: rest - id };
}

export function toJobLine(job: ShownJob, { key, id, attempts, time, error }: JobColumns): Line {
  return [
    ...toSpacedCell(job.key, { width: key, token: undefined }),
    ...toSpacedCell(job.id, { width: id, token: 'muted' }),
    { text: attempts === 0 ? '' : `${job.attempts} of ${job.maxAttempts}`.padEnd(attempts) },
    { text: time === 0 ? '' : toClock(job.failedAtMs).padEnd(time), token: 'muted' },
    ...toCell(job.error, { width: error, token: 'danger' }),
  ];
}
