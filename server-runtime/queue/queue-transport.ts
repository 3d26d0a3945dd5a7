import type { CapabilityAt, GroupTree, InputTo, KeyOf, NeedsOf } from '../capability/group-tree.ts';
import { defaultErrors } from '../errors/default-errors.ts';
import { expectKnownOptions, type OptionNames } from '../errors/expect-known-options.ts';
import type { Failure } from '../errors/failure.ts';
import { loadPackage } from '../errors/load-package.ts';
import { compileRegistry } from '../registry/compile-registry.ts';
import { findDevLink } from '../server/dev-link.ts';
import type { JobBoard, JobWatcher } from '../server/jobs/job-board.ts';
import type { App, Transport } from '../server/transport.ts';
import { findCronReason } from './find-cron-reason.ts';
import type { FailedJob, JobAttempt, JobEnd, JobOptions, JobQueue, JobSettings } from './job.ts';
import { MemoryQueue } from './memory-queue.ts';
import { withQueueInternals } from './queue-internals.ts';

/** The settings of the jobs of one capability. */
export interface JobsOfOptions {
  /** Jobs that run at once in this process. @default 10 */
  readonly maxJobs?: number | undefined;
  /** Attempts in all, where one fails with 5xx, 429, or something unforeseen. @default 5 */
  readonly attempts?: number | undefined;
  /** The wait before the second attempt, milliseconds; it doubles with each, with jitter. @default 1000 */
  readonly backoffMs?: number | undefined;
  /** Jobs that may begin within a time, in all processes together. @default any number */
  readonly rate?: { readonly limit: number; readonly windowMs: number } | undefined;
  /** Adds a job by itself: `{cron: '0 3 * * *'}`. Without a timezone, the time is that of the process. */
  readonly repeat?:
    | { readonly cron: string; readonly timezone?: string | undefined; readonly input?: unknown }
    | undefined;
}

/** The options of running capabilities as jobs. */
export interface QueueOptions<Own extends GroupTree = GroupTree> {
  /** The capabilities that are jobs. They are no routes and no tools unless they are among those of the server too. */
  readonly capabilities: Own;
  /** The address of Redis or Valkey: `redis://localhost:6379`. @default jobs are in the memory of this process, and end with it */
  readonly url?: string | undefined;
  /** Stands before the names of the queues in Redis. @default 'capix:jobs' */
  readonly prefix?: string | undefined;
  /** Whether this process runs jobs; otherwise it only adds them. @default true */
  readonly isWorker?: boolean | undefined;
  /** The time after which a job whose process has died is given to another one, milliseconds. @default 30000 */
  readonly lockMs?: number | undefined;
  /** Settings by key, in place of the defaults. */
  readonly jobs?: { readonly [Key in KeyOf<Own>]?: JobsOfOptions } | undefined;
}

/** A transport that runs capabilities as jobs, and takes jobs. `Own` are its capabilities. */
export interface QueueTransport<in out Own extends GroupTree> extends Transport<never, NeedsOf<Own>> {
  /**
   * Adds a job, and gives its id. The input is validated when the job runs. Rejects with 503 where the queue is away, and with 404 for a key that no
   * capability has.
   */
  readonly enqueue: <Key extends KeyOf<Own>>(
    key: Key,
    input: InputTo<CapabilityAt<Own, Key>>,
    options?: JobOptions,
  ) => Promise<string>;
  /** The jobs of a capability that are not tried again, with their errors. */
  readonly failed: (key: KeyOf<Own>) => Promise<readonly FailedJob[]>;
  /** Tries a failed job again; gives false where there is none of this id. */
  readonly retry: (key: KeyOf<Own>, id: string) => Promise<boolean>;
}

const optionNames: OptionNames<QueueOptions> = {
  capabilities: true,
  url: true,
  prefix: true,
  isWorker: true,
  lockMs: true,
  jobs: true,
};

/**
 * Runs capabilities as jobs, through context, guards, validation and middleware as every call: in Redis by BullMQ, which needs the packages `bullmq` and `ioredis`,
 * or without `url` in the memory of this process, where what waits is lost when it ends. A job that fails with 5xx, 429 or something unforeseen is tried again, any other
 * is kept as failed at once. A job may run twice where its process dies, so its handler must bear that.
 *
 * @throws TypeError for an option that there is not, and settings for a key that no capability has
 *
 * @example
 * ```ts
 * import { queueTransport } from 'capix/queue';
 *
 * const send = capability(z.object({ to: z.string() }), ({ to }) => ({ sentTo: to }));
 * const jobs = queueTransport({ capabilities: { emails: { send } }, jobs: { 'emails.send': { maxJobs: 5, attempts: 3 } } });
 *
 * const context = defineContext(() => ({ jobs }));
 * interface Context extends ContextOf<typeof context> {}
 * const signUp = capability.withContext<Context>()(z.object({ email: z.string() }), ({ email }, ctx) =>
 *   ctx.jobs.enqueue('emails.send', { to: email }, { delayMs: 60_000, jobId: `welcome ${email}` }),
 * );
 * const server = createServer({ context, capabilities: { users: { signUp } }, transports: [jobs] });
 * ```
 */
export function queueTransport<Own extends GroupTree>(options: QueueOptions<Own>): QueueTransport<Own> {
  expectKnownOptions('queueTransport', options, optionNames);
  const { capabilities, isWorker = true } = options;
  const settings = toSettings(options as QueueOptions);
  let opened: Promise<JobQueue> | undefined;
  let watcher: JobWatcher | undefined;
  const reporter = createReporter();
  const queue = (): Promise<JobQueue> => (opened ??= openQueue(options as QueueOptions, settings, reporter));
  async function known(key: string): Promise<JobQueue> {
    if (!settings.has(key)) throw defaultErrors.NotFound(`There is no job '${key}'.`);
    return queue();
  }

  const transport: QueueTransport<Own> = {
    name: 'queue',
    capabilities,
    start: async (app) => {
      reporter.open(app);
      await expectSchedules(settings);
      watcher = findDevLink()?.watchJobs?.({ ...toBoard(queue), settle: async () => (await opened)?.stop(SETTLE_MS) });
      if (isWorker)
        await (await queue()).work(async (job) => {
          reporter.answered();
          const end = await runJob(app, job);
          if (!end.ok && (end.isFinal || job.isLast)) watcher?.failed(job.toFailed(end.error));
          return end;
        });
      return { routes: [...settings.keys()].map((key) => ({ method: 'JOB', path: key, key })) };
    },
    stop: async ({ graceMs }) => {
      watcher?.close();
      await (await opened)?.stop(graceMs);
      opened = undefined;
    },
    enqueue: async (key, input, jobOptions = {}) => {
      const to = await known(key);
      try {
        const id = await to.add({ key, input, headers: jobOptions.headers ?? {} }, jobOptions);
        reporter.answered();
        return id;
      } catch (cause) {
        throw defaultErrors.ServiceUnavailable({ retryAfterSeconds: 1 }, { cause });
      }
    },
    failed: async (key) => {
      const failed = await (await known(key)).list({ key, phase: 'failed', from: 0, count: MAX_FAILED });
      return failed.map(({ id, input, headers, attempts, error = '' }) => ({
        id,
        key,
        input,
        headers,
        attempts,
        error,
      }));
    },
    retry: async (key, id) => (await (await known(key)).change('retry', key, id)).isChanged,
  };
  return withQueueInternals(transport, { capabilities, settings });
}

/** Says once that a queue is away, until it answers again. */
interface Reporter {
  readonly open: (app: App) => void;
  readonly answered: () => void;
  readonly onError: (error: Error) => void;
  readonly onScheduleError: (key: string, error: Error) => void;
}

function createReporter(): Reporter {
  let app: App | undefined;
  let isAway = false;
  return {
    open: (given) => (app = given),
    answered: () => (isAway = false),
    onError: (error) => {
      if (!isAway) app?.logger.warn(`[capix] The queue of jobs does not answer: ${error.message}`);
      isAway = true;
    },
    onScheduleError: (key, error) =>
      app?.logger.error(`[capix] The schedule of the job ${key} was refused: ${error.message}`),
  };
}

/** More failed jobs than any queue keeps. */
const MAX_FAILED = 10_000;
/** The time that jobs have to end when newer code takes their place, milliseconds. */
const SETTLE_MS = 30_000;

function toBoard(queue: () => Promise<JobQueue>): Omit<JobBoard, 'settle'> {
  return {
    counts: async () => (await queue()).counts(),
    list: async (range) => (await queue()).list(range),
    change: async (change, key, id) => (await queue()).change(change, key, id),
  };
}

async function openQueue(
  { url, prefix = 'capix:jobs', lockMs = 30_000 }: QueueOptions,
  settings: ReadonlyMap<string, JobSettings>,
  { onError, onScheduleError }: Pick<Reporter, 'onError' | 'onScheduleError'>,
): Promise<JobQueue> {
  if (url === undefined) return new MemoryQueue(settings);
  const load = () => import('./bull-queue.ts');
  const { BullQueue } = await loadPackage(['bullmq', 'ioredis'], 'queueTransport({ url })', load);
  return new BullQueue({ url, prefix, lockMs, settings, onError, onScheduleError });
}

function toSettings({ capabilities, jobs = {} }: QueueOptions): ReadonlyMap<string, JobSettings> {
  const { operations } = compileRegistry(capabilities);
  const unknown = Object.keys(jobs).find((key) => operations.every((operation) => operation.key !== key));
  if (unknown !== undefined) throw new TypeError(`queueTransport jobs: no capability has the key '${unknown}'.`);
  const own = jobs as Readonly<Record<string, JobsOfOptions | undefined>>;
  return new Map(
    operations.map(({ key }): [string, JobSettings] => {
      const { maxJobs = 10, attempts = 5, backoffMs = 1000, rate, repeat } = own[key] ?? {};
      return [key, { maxJobs, attempts, backoffMs, rate, repeat }];
    }),
  );
}

/** @throws TypeError for a schedule that cannot be read: such a job would never run */
async function expectSchedules(settings: ReadonlyMap<string, JobSettings>): Promise<void> {
  for (const [key, { repeat }] of settings) {
    const reason = repeat === undefined ? undefined : await findCronReason(repeat.cron, repeat.timezone);
    if (repeat === undefined || reason === undefined) continue;
    const zone = repeat.timezone === undefined ? '' : ` in '${repeat.timezone}'`;
    throw new TypeError(
      `queueTransport jobs: the schedule of '${key}', '${repeat.cron}'${zone}, cannot be read: ${reason}`,
    );
  }
}

async function runJob(app: App, { key, input, headers }: JobAttempt): Promise<JobEnd> {
  const outcome = await app.call({ capability: key, input, headers });
  if (outcome.ok) return { ok: true };
  const { failure } = outcome;
  if (failure.unexpected === true) app.logger.error(`[capix] The job ${key} failed`, { error: failure.cause });
  return { ok: false, error: toText(failure), isFinal: failure.status < 500 && failure.status !== 429 };
}

function toText({ name, status, message, unexpected, cause }: Failure): string {
  return unexpected === true && cause instanceof Error ? cause.message : `${name} (${status}): ${message}`;
}
