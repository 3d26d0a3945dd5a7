import { AsyncLocalStorage } from 'node:async_hooks';
import type { CapabilityAt, GroupTree, InputTo, KeyOf, NeedsOf } from '../capability/group-tree.ts';
import { doAfter } from '../capability/middleware/after-success.ts';
import { findCurrentCall, trackCalls } from '../capability/middleware/run-in-call.ts';
import { MAX_TIMEOUT_MS } from '../enhancers/with-timeout.ts';
import { defaultErrors } from '../errors/default-errors.ts';
import { expectInteger } from '../errors/expect-integer.ts';
import { expectKnownOptions, type OptionNames } from '../errors/expect-known-options.ts';
import { findNearest } from '../errors/find-nearest.ts';
import { loadPackage } from '../errors/load-package.ts';
import { compileRegistry } from '../registry/compile-registry.ts';
import { createValidator, type Validator } from '../schema/validator.ts';
import { findDevLink } from '../server/dev-link.ts';
import {
  type FailedJob,
  type Job,
  type JobOptions,
  type JobQueue,
  type JobSink,
  type JobsOfOptions,
  jobSinks,
  withQueueInternals,
} from '../server/jobs/job.ts';
import type { Transport } from '../server/transport.ts';
import { readApplicationPrefix } from '../stores/read-application-prefix.ts';
import { findCronReason } from './find-next-run.ts';
import { MemoryQueue } from './memory-queue.ts';
import { createReporter, type Reporter, toRunJob, toText } from './reporter.ts';
import { expectText, toJob } from './to-job.ts';
import { toSettings } from './to-settings.ts';

/** The options of running capabilities as jobs. */
export interface QueueOptions<Own extends GroupTree = GroupTree> {
  /** The capabilities that are jobs. They are no routes and no tools unless they are among those of the server too. */
  readonly capabilities: Own;
  /** The address of Redis or Valkey: `redis://localhost:6379`. @default jobs are in the memory of this process, and end with it */
  readonly url?: string | undefined;
  /** Stands before the names of the queues in Redis. @default the name of the application's package, and `:jobs` */
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
   * Checks a job and gives its id. Inside a call it is added when the call has succeeded, which is 503 where the queue is away then; outside of one,
   * or with `{now: true}`, at once. Rejects with a TypeError or a RangeError for a key, an input or an option that cannot be, and with 503 where it is
   * to be added at once and the queue is away.
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

/** The time that jobs have to end when newer code takes their place, milliseconds. */
const SETTLE_MS = 30_000;
/** More failed jobs than any queue keeps. */
const MAX_FAILED = 10_000;

/**
 * Runs capabilities as jobs, through context, guards, validation and middleware as every call: in Redis by BullMQ, which needs the packages `bullmq` and `ioredis`,
 * or without `url` in the memory of this process, where what waits is lost when it ends. A job that fails with 5xx, 429 or something unforeseen is tried again, any other
 * is kept as failed at once. A job may run twice where its process dies, so its handler must bear that.
 *
 * @throws TypeError or RangeError for options and settings that cannot be
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
  trackCalls(new AsyncLocalStorage());
  const given = toOptions(options as QueueOptions);
  const { capabilities, isWorker, settings } = given;
  const validators = toValidators(capabilities);
  const report = createReporter();
  let opened: Promise<JobQueue> | undefined;
  const open = (): Promise<JobQueue> => (opened ??= openQueue(given, report));
  async function queueOf(key: string): Promise<JobQueue> {
    expectKnown(key, [...settings.keys()]);
    return open();
  }
  async function add(job: Job, sink: JobSink | undefined): Promise<void> {
    try {
      await (sink === undefined ? (await open()).add(job) : sink(job, internals));
      report.answered();
    } catch (cause) {
      report.refused(job, cause);
      throw defaultErrors.ServiceUnavailable({ retryAfterSeconds: 1 }, { cause });
    }
  }
  const internals = { capabilities, settings, pause: async () => (await opened)?.pause() };
  const board = {
    counts: async () => (await open()).counts(),
    failed: async (key: string, count = MAX_FAILED) => (await queueOf(key)).failed(key, count),
    retry: async (key: string, id: string) => (await queueOf(key)).retry(key, id),
    settle: (drained: Promise<unknown>) =>
      Promise.all([internals.pause(), drained]).then(() => transport.stop({ graceMs: SETTLE_MS })),
  };
  let unwatch: (() => void) | undefined;
  const transport: QueueTransport<Own> = {
    name: 'queue',
    capabilities,
    start: async (app) => {
      await expectSchedules(settings, validators);
      report.open(app);
      unwatch = findDevLink()?.watchJobs?.(board);
      if (isWorker) await (await open()).work(toRunJob(app, settings, report));
      return { routes: [...settings.keys()].map((key) => ({ method: 'JOB', path: key, key })) };
    },
    stop: async ({ graceMs }) => {
      unwatch?.();
      await (await opened)?.stop(graceMs);
      opened = undefined;
    },
    enqueue: async (key, input, jobOptions) => {
      const call = findCurrentCall();
      expectKnown(key, [...settings.keys()]);
      const job = toJob(key, input, jobOptions);
      await expectValid(job, validators, `The input of the job ${key}`);
      const send = (): Promise<void> => add(job, call && jobSinks.get(call));
      await (call === undefined || jobOptions?.now === true ? send() : doAfter(call, send));
      return job.id;
    },
    failed: (key) => board.failed(key),
    retry: board.retry,
  };
  return withQueueInternals(transport, internals);
}

async function openQueue({ url, prefix, lockMs, settings }: Given, { error, failed }: Reporter): Promise<JobQueue> {
  if (url === undefined) return new MemoryQueue(settings);
  const load = () => import('./bull-queue.ts');
  const { BullQueue } = await loadPackage(['bullmq', 'ioredis'], 'queueTransport({ url })', load);
  const names = prefix ?? `${readApplicationPrefix()}jobs`;
  return new BullQueue({ url, prefix: names, lockMs, settings, onError: error, onGivenUp: (job) => failed(job, true) });
}

type Validators = ReadonlyMap<string, Validator>;

function toValidators(capabilities: GroupTree): Validators {
  const { operations } = compileRegistry(capabilities);
  return new Map(operations.map(({ key, definition }) => [key, createValidator(definition.schema)]));
}

/** @throws TypeError for what the schema refuses: such a job would fail whenever it runs */
async function expectValid({ key, input }: Job, validators: Validators, owner: string): Promise<void> {
  const outcome = await validators.get(key)?.(input);
  if (outcome?.ok === false) throw new TypeError(`${owner}: ${toText(outcome.failure)}`);
}

/** @throws TypeError for a schedule that cannot be read, and one whose jobs would fail */
async function expectSchedules(settings: Given['settings'], validators: Validators): Promise<void> {
  for (const [key, { repeat }] of settings) {
    if (repeat === undefined) continue;
    const { cron, timezone, input } = repeat;
    const zone = timezone === undefined ? '' : ` in '${timezone}'`;
    const owner = `queueTransport jobs: the schedule of '${key}', '${cron}'${zone},`;
    const reason = await findCronReason(repeat);
    if (reason !== undefined) throw new TypeError(`${owner} cannot be read: ${reason}`);
    await expectValid(toJob(key, input), validators, `${owner} has an input that does not fit`);
  }
}

function expectKnown(key: string, keys: readonly string[]): void {
  if (keys.includes(key)) return;
  const nearest = findNearest(key, keys);
  throw new TypeError(`There is no job '${key}'.${nearest === undefined ? '' : ` Did you mean \`${nearest}\`?`}`);
}

type Given = ReturnType<typeof toOptions>;

/** @throws TypeError or RangeError for options that cannot be */
function toOptions(options: QueueOptions) {
  expectKnownOptions('queueTransport', options, optionNames);
  const { capabilities, url, prefix, isWorker = true, lockMs = 30_000, jobs = {} } = options;
  if (url !== undefined) expectText('queueTransport url', url);
  if (prefix !== undefined) expectText('queueTransport prefix', prefix);
  if (typeof isWorker !== 'boolean') throw new TypeError('queueTransport isWorker: expected true or false.');
  expectInteger('queueTransport lockMs', lockMs, { min: 1, max: MAX_TIMEOUT_MS });
  const keys = compileRegistry(capabilities).operations.map(({ key }) => key);
  for (const key of Object.keys(jobs)) expectKnown(key, keys);
  const own = jobs as Readonly<Record<string, JobsOfOptions | undefined>>;
  const settings = new Map(keys.map((key) => [key, toSettings(key, own[key] ?? {})]));
  return { capabilities, url, prefix, isWorker, lockMs, settings };
}
