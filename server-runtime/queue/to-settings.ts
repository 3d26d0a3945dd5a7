import { expectInteger } from '../errors/expect-integer.ts';
import { expectKnownOptions, type OptionNames } from '../errors/expect-known-options.ts';
import type { JobSettings, JobsOfOptions } from '../server/jobs/job.ts';
import { expectText, toJson } from './to-job.ts';

type Rate = NonNullable<JobsOfOptions['rate']>;
type Repeat = NonNullable<JobsOfOptions['repeat']>;
const names: OptionNames<JobsOfOptions> = { maxJobs: true, attempts: true, backoffMs: true, rate: true, repeat: true };
const rateNames: OptionNames<Rate> = { limit: true, windowMs: true };
const repeatNames: OptionNames<Repeat> = { cron: true, timezone: true, input: true };

/** The settings with every default applied. @throws TypeError or RangeError for what they cannot be */
export function toSettings(key: string, options: JobsOfOptions): JobSettings {
  const owner = `queueTransport jobs['${key}']`;
  expectKnownOptions(owner, options, names);
  const { maxJobs = 10, attempts = 5, backoffMs = 1000, rate, repeat } = options;
  expectInteger(`${owner} maxJobs`, maxJobs, { min: 1 });
  expectInteger(`${owner} attempts`, attempts, { min: 1 });
  expectInteger(`${owner} backoffMs`, backoffMs, { min: 0 });
  if (rate !== undefined) {
    expectKnownOptions(`${owner} rate`, rate, rateNames);
    expectInteger(`${owner} rate.limit`, rate.limit, { min: 1 });
    expectInteger(`${owner} rate.windowMs`, rate.windowMs, { min: 1 });
  }
  if (repeat !== undefined) {
    expectKnownOptions(`${owner} repeat`, repeat, repeatNames);
    expectText(`${owner} repeat.cron`, repeat.cron);
    if (repeat.timezone !== undefined) expectText(`${owner} repeat.timezone`, repeat.timezone);
    toJson(key, repeat.input);
  }
  return { maxJobs, attempts, backoffMs, rate, repeat };
}
