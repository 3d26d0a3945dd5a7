import type { JobSettings } from '../../server-runtime/server/job.ts';
import { toCount } from '../values/count.ts';

/** The settings of a capability's jobs in words: `up to 5 at once in each process`, `cron 0 3 * * *`. */
export function toJobTexts({
  maxJobs,
  attempts,
  backoffMs,
  rate,
  repeat,
}: JobSettings): readonly string[] {
  const { cron, timezone, input } = repeat ?? {};
  const zone = timezone === undefined ? '' : ` ${timezone}`;
  const withInput = input === undefined ? '' : `, with ${JSON.stringify(input)}`;
  return [
    `up to ${maxJobs} at once in each process`,
    attempts === 1
      ? '1 attempt'
      : `${attempts} attempts, ${toDurationText(backoffMs)} before the second, then doubling`,
    ...(rate === undefined
      ? []
      : [`up to ${rate.limit} in ${toDurationText(rate.windowMs)} in all processes`]),
    ...(cron === undefined ? [] : [`cron ${cron}${zone}${withInput}`]),
  ];
}

/** The same in the width of a column: `5 at once, 3 attempts, 100 in 60 s, cron 0 3 * * *`. */
export function toShortJobText({ maxJobs, attempts, rate, repeat }: JobSettings): string {
  const times = toCount(attempts, 'attempt');
  const limit = rate && `${rate.limit} in ${toDurationText(rate.windowMs)}`;
  return [repeat && `cron ${repeat.cron}`, `${maxJobs} at once`, times, limit]
    .filter(Boolean)
    .join(', ');
}

/** `250 ms`, `1.5 s`, `2 min`, `3 h` */
function toDurationText(ms: number): string {
  const units = [[3_600_000, 'h'] as const, [60_000, 'min'] as const, [1_000, 's'] as const];
  const [size, unit] = units.find(([least]) => ms >= least) ?? [1, 'ms'];
  return `${Math.round((ms / size) * 10) / 10} ${unit}`;
}
