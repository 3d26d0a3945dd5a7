import type { JobSettings } from '../../server-runtime/server/job.ts';

/** The settings of a capability's jobs in words: `up to 5 at once in each process`, `cron 0 3 * * *`. */
export function toJobTexts({ maxJobs, attempts, backoffMs, rate, repeat }: JobSettings): readonly string[] {
  return [
    `up to ${maxJobs} at once in each process`,
    attempts === 1
      ? '1 attempt'
      : `${attempts} attempts, ${toDurationText(backoffMs)} before the second, then doubling`,
    ...(rate === undefined ? [] : [`up to ${rate.limit} in ${toDurationText(rate.windowMs)} in all processes`]),
    ...(repeat === undefined ? [] : [toRepeatText(repeat)]),
  ];
}

/** `cron 0 3 * * * Europe/Berlin, with {"full":true}` */
function toRepeatText({ cron, timezone, input }: NonNullable<JobSettings['repeat']>): string {
  const when = timezone === undefined ? `cron ${cron}` : `cron ${cron} ${timezone}`;
  return input === undefined ? when : `${when}, with ${JSON.stringify(input)}`;
}

/** The same in the width of a column: `5 at once, 3 attempts, 100 in 60 s, cron 0 3 * * *`. */
export function toShortJobText({ maxJobs, attempts, rate, repeat }: JobSettings): string {
  const times = attempts === 1 ? '1 attempt' : `${attempts} attempts`;
  const limit = rate && `${rate.limit} in ${toDurationText(rate.windowMs)}`;
  return [repeat && `cron ${repeat.cron}`, `${maxJobs} at once`, times, limit].filter(Boolean).join(', ');
}

/** `250 ms`, `1.5 s`, `2 min`, `3 h` */
function toDurationText(ms: number): string {
  const [size, unit] = units.find(([least]) => ms >= least) ?? [1, 'ms'];
  return `${Math.round((ms / size) * 10) / 10} ${unit}`;
}

const units = [
  [3_600_000, 'h'],
  [60_000, 'min'],
  [1_000, 's'],
] as const;
