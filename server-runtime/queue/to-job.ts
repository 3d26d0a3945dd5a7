import { expectInteger, expectKnownOptions, type OptionNames } from '../errors/expect-options.ts';
import { readThrown } from '../errors/failure.ts';
import { toSafeInput } from '../input/safe-input.ts';
import { createRequestIds } from '../server/call.ts';
import type { Job, JobOptions, JobSettings, JobsOfOptions } from '../server/job.ts';

/** Random for the process, and counted within it. */
const toNewId = createRequestIds();

const jobOptionNames: OptionNames<JobOptions> = {
  delayMs: true,
  jobId: true,
  order: true,
  headers: true,
  now: true,
};

const settingNames: OptionNames<JobsOfOptions> = {
  maxJobs: true,
  attempts: true,
  backoffMs: true,
  rate: true,
  repeat: true,
};

/** @throws TypeError or RangeError for an invalid option or input */
export function toJob(key: string, input: unknown, options: JobOptions = {}): Job {
  expectKnownOptions('enqueue', options, jobOptionNames);
  const { delayMs = 0, jobId: id = toNewId(undefined), order = 0, headers = {} } = options;
  expectInteger('enqueue.delayMs', delayMs, { min: 0 });
  // The highest priority of BullMQ.
  expectInteger('enqueue.order', order, { min: 0, max: 2_097_151 });
  if (typeof id !== 'string' || id === '' || !id.isWellFormed())
    throw new TypeError('enqueue.jobId: expected a text that is not empty, of whole characters.');
  return {
    id,
    key,
    input: toJson(`The input of the job ${key}`, input),
    headers: { ...headers },
    delayMs,
    order,
  };
}

/** The settings with every default applied. @throws TypeError or RangeError for invalid ones */
export function toSettings(key: string, options: JobsOfOptions): JobSettings {
  const owner = `queueTransport jobs['${key}']`;
  expectKnownOptions(owner, options, settingNames);
  const { maxJobs = 10, attempts = 5, backoffMs = 1000, rate, repeat } = options;
  expectInteger(`${owner}.maxJobs`, maxJobs, { min: 1 });
  expectInteger(`${owner}.attempts`, attempts, { min: 1 });
  expectInteger(`${owner}.backoffMs`, backoffMs, { min: 0 });
  if (rate !== undefined) {
    expectKnownOptions(`${owner}.rate`, rate, { limit: true, windowMs: true });
    expectInteger(`${owner}.rate.limit`, rate.limit, { min: 1 });
    expectInteger(`${owner}.rate.windowMs`, rate.windowMs, { min: 1 });
  }
  if (repeat !== undefined) {
    expectKnownOptions(`${owner}.repeat`, repeat, { cron: true, timezone: true, input: true });
    toJson(`${owner}.repeat.input`, repeat.input);
  }
  return { maxJobs, attempts, backoffMs, rate, repeat };
}

const kindsOfJson: ReadonlySet<string> = new Set([
  'string',
  'number',
  'boolean',
  'object',
  'undefined',
]);

/**
 * The JSON of an input, as a value, which queues store. @throws TypeError for an input that JSON cannot hold or would
 * change
 */
function toJson(owner: string, input: unknown): unknown {
  const refuse = (reason: string): never => {
    throw new TypeError(`${owner} cannot be queued: ${reason}.`);
  };
  const json = JSON.stringify(input ?? {}, (name, value: unknown) => {
    const kind = toKind(value);
    return kindsOfJson.has(kind) ? value : refuse(`JSON has no ${kind}, as in \`${name}\``);
  });
  const made = toSafeInput(JSON.parse(json));
  return made.ok ? made.value : refuse(made.failure.message);
}

/** `typeof`, except for objects and numbers that JSON writes as `{}`, `{"0":…}` or `null`. */
function toKind(value: unknown): string {
  if (value instanceof Map || value instanceof Set || ArrayBuffer.isView(value))
    return value.constructor.name;
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value);
  return typeof value;
}

type Schedule = Omit<NonNullable<JobSettings['repeat']>, 'input'>;

/** The first time of a schedule after another, milliseconds since 1970; undefined without one. @throws Error */
export async function findNextRun(
  { cron, timezone }: Schedule,
  afterMs: number,
): Promise<number | undefined> {
  const { Cron } = await import('croner');
  const schedule = new Cron(cron, { paused: true, ...(timezone && { timezone }) });
  return schedule.nextRun(new Date(afterMs))?.getTime();
}

export function findCronReason(schedule: Schedule): Promise<string | undefined> {
  return findNextRun(schedule, Date.now()).then(
    () => undefined,
    (thrown: unknown) => readThrown(thrown).message.replace(/^Cron\w+: /, ''),
  );
}
