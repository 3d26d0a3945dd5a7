import type { Failure } from '../errors/failure.ts';
import { readThrown } from '../errors/read-thrown.ts';
import type { GivenUpJob } from '../server/hooks.ts';
import { invokeJob } from '../server/invoke/invoke-job.ts';
import type { Job, JobSettings, RunJob } from '../server/jobs/job.ts';
import { consoleLogger } from '../server/log/logger.ts';
import { applicationOf } from '../server/to-app.ts';
import type { App } from '../server/transport.ts';

/** Writes to the log of the application. */
export interface Reporter {
  readonly open: (app: App) => void;
  readonly answered: () => void;
  /** Written once, until the queue answers again. */
  readonly error: (error: Error) => void;
  readonly failed: (job: GivenUpJob, isGivenUp: boolean) => void;
  /** The queue did not take a job. */
  readonly refused: (job: Job, cause: unknown) => void;
}

export function createReporter(): Reporter {
  let app: App | undefined;
  let isAway = false;
  return {
    open: (given) => void (app = given),
    answered: () => void (isAway = false),
    error: ({ message }) => {
      if (!isAway) (app?.logger ?? consoleLogger).warn(`[capix] The queue of jobs has an error: ${message}`);
      isAway = true;
    },
    refused: ({ key, id, input }, cause) => {
      const what = `[capix] The job ${key} '${id}' was not queued: ${readThrown(cause).message}`;
      (app?.logger ?? consoleLogger).error(`${what} Its input is ${JSON.stringify(input)}`, {
        capability: key,
        jobId: id,
      });
    },
    failed: (job, isGivenUp) => {
      if (app === undefined) return;
      const { failure, ...details } = job;
      const what = `[capix] The job ${job.capability} '${job.jobId}'`;
      const attempt = `at attempt ${job.attempts} of ${job.maxAttempts}`;
      const reason = toText(failure);
      if (!isGivenUp) return app.logger.warn(`${what} failed ${attempt}, and is tried again: ${reason}`);
      const error = failure.unexpected === true ? { error: failure.cause } : {};
      app.logger.error(`${what} was given up ${attempt}: ${reason}`, { ...details, ...error });
      applicationOf(app).hooks.onJobGivenUp?.(job);
    },
  };
}

export function toRunJob(app: App, settings: ReadonlyMap<string, JobSettings>, report: Reporter): RunJob {
  return async ({ id, key, input, headers, attempt }) => {
    report.answered();
    const outcome = await invokeJob(applicationOf(app), { capability: key, input, headers });
    if (outcome.ok) return { ok: true };
    const { failure } = outcome;
    const { attempts: maxAttempts = attempt } = settings.get(key) ?? {};
    const isGivenUp = isFinal(failure) || attempt >= maxAttempts;
    report.failed({ capability: key, jobId: id, attempts: attempt, maxAttempts, failure }, isGivenUp);
    return { ok: false, error: toText(failure), isFinal: isFinal(failure) };
  };
}

/** Whether another attempt would meet it again. */
export function isFinal({ status }: Failure): boolean {
  return status < 500 && status !== 429;
}

/** `BadRequest (400): Input validation failed: to: Invalid email` */
export function toText({ name, status, message, meta, unexpected, cause }: Failure): string {
  const issues: unknown = meta?.['issues'];
  const wrong = Array.isArray(issues) ? `: ${issues.join('; ')}` : '';
  return unexpected === true ? readThrown(cause).message : `${name} (${status}): ${message}${wrong}`;
}
