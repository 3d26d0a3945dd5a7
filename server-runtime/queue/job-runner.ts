import { defaultErrors } from '../errors/define-error.ts';
import { type Failure, failure, readThrown } from '../errors/failure.ts';
import { type IsSecret, LOG_MASK } from '../schema/secret-names.ts';
import type { Application } from '../server/application.ts';
import type { GivenUpJob } from '../server/hooks.ts';
import { invokeJob } from '../server/invoke-operation.ts';
import type { FailedJob, Job, JobCounts, RunJob } from '../server/job.ts';
import { consoleLogger, type Logger } from '../server/logger.ts';

/** The place where the jobs of one capability wait, and from which they are taken. */
export interface JobQueue {
  readonly add: (job: Job) => Promise<unknown>;
  readonly work: () => Promise<void>;
  readonly counts: () => Promise<JobCounts>;
  readonly failed: (count: number) => Promise<readonly FailedJob[]>;
  readonly retry: (id: string) => Promise<boolean>;
  /** Takes no more jobs. Missing where the queue has no other process to take them. */
  readonly pause?: () => Promise<void>;
  /** Takes no more jobs, and waits for those under way, so many milliseconds. Never rejects. */
  readonly stop: (graceMs: number) => Promise<void>;
}

type Attempt = Parameters<RunJob>[0];

/** Runs jobs in the application that `start` sets, and writes to its log. */
export class JobRunner {
  app: Application | undefined;
  logger: Logger = consoleLogger;
  isAway = false;

  readonly run: RunJob = async ({
    id: jobId,
    key: capability,
    input,
    headers,
    attempts,
    maxAttempts,
  }) => {
    this.isAway = false;
    const outcome = await invokeJob(this.app as Application, { capability, input, headers });
    if (outcome.ok) return undefined;
    const { failure } = outcome;
    const job = { capability, jobId, attempts, maxAttempts, failure };
    const fault = { error: toText(failure), isFinal: isFinal(failure) };
    if (fault.isFinal || attempts >= maxAttempts) this.givenUp(job);
    else this.logger.warn(`${toFailedText(job, 'failed')}, and is tried again: ${fault.error}`);
    return fault;
  };

  /**
   * Another program has put this into the queue. It does not run and is not tried again. Returns the text of the log.
   */
  refuseForeign({ id: jobId, key, attempts, maxAttempts }: Attempt, problem: string): string {
    const reason = `This is not a job of the queue ${key}: ${problem}`;
    const cause = failure(defaultErrors.BadRequest, reason);
    this.givenUp({ capability: key, jobId, attempts, maxAttempts, failure: cause });
    return toText(cause);
  }

  readonly givenUp = (job: GivenUpJob): void => {
    const { failure, ...details } = job;
    const error = failure.unexpected === true ? { error: failure.cause } : {};
    this.logger.error(`${toFailedText(job, 'was given up')}: ${toText(failure)}`, {
      ...details,
      ...error,
    });
    this.app?.hooks.onJobGivenUp?.(job);
  };

  /** Logs what is lost where nobody adds it again: the input, but for its secrets. */
  refused({ key: capability, id: jobId, input }: Job, cause: unknown, isSecret: IsSecret): void {
    const what = `[capix] The job ${capability} '${jobId}' was not queued: ${readThrown(cause).message}.`;
    const shown = JSON.stringify(input, (name, value: unknown) =>
      isSecret(name) ? LOG_MASK : value,
    );
    this.logger.error(`${what} Its input is ${shown}`, { capability, jobId });
  }

  /** Warns in the log that the queue cannot be reached: once, until it answers again. */
  readonly away = ({ message }: Error): void => {
    if (!this.isAway) this.logger.warn(`[capix] The queue of jobs has an error: ${message}`);
    this.isAway = true;
  };
}

function toFailedText(
  { capability, jobId, attempts, maxAttempts }: GivenUpJob,
  what: string,
): string {
  return `[capix] The job ${capability} '${jobId}' ${what} at attempt ${attempts} of ${maxAttempts}`;
}

export function isFinal({ status }: Failure): boolean {
  return status < 500 && status !== 429;
}

/** `BadRequest (400): Input validation failed: to: Invalid email` */
export function toText({ name, status, message, meta, unexpected, cause }: Failure): string {
  if (unexpected === true) return readThrown(cause).message;
  const text = `${name} (${status}): ${message}`;
  try {
    const issues: unknown = meta?.['issues'];
    return Array.isArray(issues) ? `${text}: ${issues.join('; ')}` : text;
  } catch {
    // The meta is the application's: a getter of it may throw, or the text of an issue.
    return text;
  }
}
