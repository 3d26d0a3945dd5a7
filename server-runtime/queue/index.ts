import { AsyncLocalStorage } from 'node:async_hooks';
import { doAfter } from '../capability/after-success.ts';
import type { CallRequest } from '../capability/context.ts';
import type { CapabilityDefinition } from '../capability/definition.ts';
import type { CapabilityAt, GroupTree, InputTo, KeyOf, NeedsOf } from '../capability/group-tree.ts';
import { findDeclaredSecrets } from '../capability/secrets.ts';
import { defaultErrors } from '../errors/define-error.ts';
import {
  expectInteger,
  expectKnownOptions,
  findNearest,
  MAX_TIMEOUT_MS,
  type OptionNames,
} from '../errors/expect-options.ts';
import { loadPackage } from '../errors/load-package.ts';
import { compileRegistry } from '../registry/compile-registry.ts';
import { createSecretCheck } from '../schema/secret-names.ts';
import { createValidator, type Validator } from '../schema/validator.ts';
import { applicationOf } from '../server/application.ts';
import { findDevLink } from '../server/dev-link.ts';
import {
  callsWithoutQueue,
  type FailedJob,
  type Job,
  type JobOptions,
  type JobSettings,
  type JobSink,
  type JobsOfOptions,
  QUEUE,
} from '../server/job.ts';
import type { Transport } from '../server/transport.ts';
import { readApplicationPrefix } from '../stores/read-application-prefix.ts';
import { createJobs, type DefinedJobs, type JobInputs } from './define-jobs.ts';
import { type JobQueue, JobRunner, toText } from './job-runner.ts';
import { createMemoryQueue } from './memory-queue.ts';
import { findCronReason, toJob, toSettings } from './to-job.ts';

export type { FailedJob, JobOptions } from '../server/job.ts';
export type { DefinedJobs, JobInputs } from './define-jobs.ts';

/** The options of running capabilities as jobs. */
export interface QueueOptions<Own extends GroupTree = GroupTree> {
  /** The capabilities that are jobs. They are routes and tools only if the server has them too. */
  readonly capabilities: Own;
  /** The address of Redis or Valkey: `redis://localhost:6379`. @default the memory of this process */
  readonly url?: string | undefined;
  /** Stands before the names of the queues in Redis. @default the name of the application's package, and `:jobs` */
  readonly prefix?: string | undefined;
  /** Whether this process runs jobs; otherwise it only adds them. @default true */
  readonly isWorker?: boolean | undefined;
  /** The time after which another process gets a job whose process has died, milliseconds. @default 30000 */
  readonly lockMs?: number | undefined;
  /** Settings by key, in place of the defaults. */
  readonly jobs?: { readonly [Key in KeyOf<Own>]?: JobsOfOptions } | undefined;
}

const queueOptionNames: OptionNames<QueueOptions> = {
  capabilities: true,
  url: true,
  prefix: true,
  isWorker: true,
  lockMs: true,
  jobs: true,
};

/** A transport that runs capabilities as jobs, and takes jobs. */
export interface QueueTransport<in out Own extends GroupTree>
  extends Transport<never, NeedsOf<Own>> {
  /**
   * Checks a job and gives its id. Inside a call it is added when the call has succeeded, else at once. Rejects with a
   * TypeError or a RangeError for an invalid job, and with 503 where the queue is away.
   */
  readonly enqueue: <Key extends KeyOf<Own>>(
    key: Key,
    input: InputTo<CapabilityAt<Own, Key>>,
    options?: JobOptions,
  ) => Promise<string>;
  /** The jobs of a capability that are not tried again, with their errors. */
  readonly failed: (key: KeyOf<Own>) => Promise<readonly FailedJob[]>;
  /** Tries a failed job again; gives false where no job has this id. */
  readonly retry: (key: KeyOf<Own>, id: string) => Promise<boolean>;
}

/** The time that jobs have to end when newer code takes their place, milliseconds. */
const SETTLE_MS = 30_000;

/**
 * Defines jobs by their inputs, for jobs that enqueue each other: the type of `enqueue` depends on no handler, and so
 * does not go in a circle. `jobs.toTransport({ capabilities })` makes the transport.
 *
 * @example
 * ```ts
 * import { defineJobs } from 'capix/queue';
 * const Mail = z.object({ to: z.string() });
 * export const jobs = defineJobs({ mails: { send: Mail, archive: z.object({ id: z.string() }) } });
 * export const send = capability(jobs.inputs.mails.send, async ({ to }) => {
 *   await jobs.enqueue('mails.archive', { id: to });
 * });
 * ```
 */
export function defineJobs<const Inputs extends JobInputs>(inputs: Inputs): DefinedJobs<Inputs> {
  return createJobs(inputs, queueTransport);
}

/**
 * Runs capabilities as jobs: in Redis by BullMQ, which needs the packages `bullmq` and `ioredis`, or without `url` in
 * the memory of this process, where waiting jobs are lost when it ends. A job that fails with 5xx, 429 or an unexpected
 * error is tried again. A job may run twice where its process dies, so its handler must allow for that.
 * @throws TypeError or RangeError for invalid options and settings
 */
export function queueTransport<Own extends GroupTree>(
  options: QueueOptions<Own>,
): QueueTransport<Own> {
  const complete = readOptions(options as QueueOptions);
  const { capabilities, isWorker = true, settings, prefix } = complete;
  const runner = new JobRunner();
  const calls = new AsyncLocalStorage<CallRequest | undefined>();
  let opened: Promise<OpenQueues> | undefined;
  let unwatch: (() => void) | undefined;
  let isStopped = false;
  const open = () => {
    opened ??= openQueues(complete, runner);
    return opened;
  };
  const all = async <T>(ask: (queue: JobQueue) => T): Promise<readonly Awaited<T>[]> =>
    opened === undefined ? [] : Promise.all([...(await opened).byKey.values()].map(ask));
  const queueOf = async (key: string): Promise<JobQueue> =>
    (await open()).byKey.get(expectKnown(key, settings)) as JobQueue;
  async function send(job: Job, sink: JobSink | undefined): Promise<void> {
    try {
      // Adding a job would open the queue again, where nothing runs the job.
      if (isStopped && sink === undefined) throw new Error('The queue has been stopped.');
      await (sink === undefined ? (await queueOf(job.key)).add(job) : sink(job, internals));
      runner.isAway = false;
    } catch (cause) {
      runner.refused(job, cause, createSecretCheck(findSecrets(job.key)));
      throw defaultErrors.ServiceUnavailable({ retryAfterSeconds: 1 }, { cause });
    }
  }
  const findSecrets = (key: string): readonly string[] => {
    const definition = complete.definitions.get(key);
    return definition === undefined ? [] : findDeclaredSecrets(definition);
  };
  const internals = {
    capabilities,
    settings,
    prefix,
    calls,
    counts: async () => {
      if (runner.app !== undefined && !isStopped) await open();
      return all((queue) => queue.counts());
    },
    pause: () => all((queue) => queue.pause?.()).then(() => {}),
  };
  const failed = async (key: string, count = 10_000) => (await queueOf(key)).failed(count);
  const retry = async (key: string, id: string) => (await queueOf(key)).retry(id);
  const transport: QueueTransport<Own> = {
    name: 'queue',
    capabilities: options.capabilities,
    start: async (app) => {
      await expectSchedules(complete);
      isStopped = false;
      runner.app = applicationOf(app);
      runner.logger = app.logger;
      unwatch = findDevLink()?.watchJobs?.({
        counts: internals.counts,
        failed,
        retry,
        secretNames: findSecrets,
        settle: (drained) =>
          Promise.all([internals.pause(), drained]).then(() =>
            transport.stop({ graceMs: SETTLE_MS }),
          ),
      });
      if (isWorker) await open().then(() => all((queue) => queue.work()));
      return { routes: [...settings.keys()].map((key) => ({ method: 'JOB', path: key, key })) };
    },
    stop: async ({ graceMs }) => {
      unwatch?.();
      await all((queue) => queue.stop(graceMs));
      (await opened)?.close();
      opened = undefined;
      isStopped = true;
    },
    enqueue: async (key, input, jobOptions) => {
      const { call, sink } = callsWithoutQueue.getStore() ?? {
        call: calls.getStore(),
        sink: undefined,
      };
      const job = withTrace(toJob(expectKnown(key, settings), input, jobOptions), call);
      await expectValid(job, complete, `The input of the job ${key}`);
      await (call === undefined || jobOptions?.now === true
        ? send(job, sink)
        : doAfter(call, () => send(job, sink)));
      return job.id;
    },
    failed: (key) => failed(key),
    retry,
  };
  return Object.assign(transport, { [QUEUE]: internals });
}

/**
 * A job goes on with the trace of the call that enqueues it. Of the headers of its caller it gets nothing else: baggage
 * may be long, and is not ours to store.
 */
function withTrace(job: Job, call: CallRequest | undefined): Job {
  call?.marks?.note('job', job.key);
  const traceparent = call?.traceparent;
  return traceparent === undefined ? job : { ...job, headers: { traceparent, ...job.headers } };
}

/** The options, valid and with every default applied. */
interface QueueSettings extends QueueOptions {
  readonly lockMs: number;
  /** The settings of each job, by key. */
  readonly settings: ReadonlyMap<string, JobSettings>;
  /** The validation of each job's input, by key. */
  readonly validators: ReadonlyMap<string, Validator>;
  readonly definitions: ReadonlyMap<string, CapabilityDefinition>;
}

/** The queues that are open, by key. */
interface OpenQueues {
  readonly byKey: ReadonlyMap<string, JobQueue>;
  readonly close: () => void;
}

/** @throws TypeError or RangeError for invalid options */
function readOptions(options: QueueOptions): QueueSettings {
  expectKnownOptions('queueTransport', options, queueOptionNames);
  const { lockMs = 30_000, jobs = {} } = options;
  expectInteger('queueTransport.lockMs', lockMs, { min: 1, max: MAX_TIMEOUT_MS });
  const { operations } = compileRegistry(options.capabilities);
  const validators = new Map(
    operations.map(({ key, definition }) => [key, createValidator(definition.schema)]),
  );
  const own: Readonly<Record<string, JobsOfOptions | undefined>> = jobs;
  for (const key of Object.keys(own)) expectKnown(key, validators);
  const settings = new Map(operations.map(({ key }) => [key, toSettings(key, own[key] ?? {})]));
  const definitions = new Map(operations.map(({ key, definition }) => [key, definition]));
  return { ...options, lockMs, settings, validators, definitions };
}

function expectKnown(key: string, known: ReadonlyMap<string, unknown>): string {
  if (known.has(key)) return key;
  const nearest = findNearest(key, known.keys());
  throw new TypeError(
    `There is no job '${key}'.${nearest === undefined ? '' : ` Did you mean \`${nearest}\`?`}`,
  );
}

/** @throws TypeError for a schedule that cannot be parsed, and for one whose jobs would fail */
async function expectSchedules(options: QueueSettings): Promise<void> {
  for (const [key, { repeat }] of options.settings) {
    if (repeat === undefined) continue;
    const { cron, timezone, input } = repeat;
    const owner = `queueTransport jobs: the schedule of '${key}', '${cron}'${timezone ? ` in '${timezone}'` : ''},`;
    const reason = await findCronReason(repeat);
    if (reason !== undefined) throw new TypeError(`${owner} cannot be read: ${reason}`);
    await expectValid(toJob(key, input), options, `${owner} has an input that does not fit`);
  }
}

/** @throws TypeError for an input that the schema refuses: such a job would fail whenever it runs */
async function expectValid(
  { key, input }: Job,
  { validators }: QueueSettings,
  owner: string,
): Promise<void> {
  const outcome = await validators.get(key)?.(input);
  if (outcome?.ok === false) throw new TypeError(`${owner}: ${toText(outcome.failure)}`);
}

async function openQueues(
  { url, prefix, lockMs, settings }: QueueSettings,
  runner: JobRunner,
): Promise<OpenQueues> {
  const byKey = new Map<string, JobQueue>();
  if (url === undefined) {
    for (const [key, own] of settings) byKey.set(key, createMemoryQueue(key, own, runner));
    return { byKey, close: () => {} };
  }
  const load = () => import('./bull-queue.ts');
  const { createBullQueue, shareRedis } = await loadPackage(
    ['bullmq', 'ioredis'],
    'queueTransport({ url })',
    load,
  );
  const redis = shareRedis(url, {
    prefix: prefix ?? `${readApplicationPrefix()}jobs`,
    lockMs,
    runner,
  });
  for (const [key, own] of settings) byKey.set(key, createBullQueue(key, own, redis));
  return { byKey, close: redis.close };
}
