import { randomUUID } from 'node:crypto';
import { MAX_TIMEOUT_MS } from '../enhancers/with-timeout.ts';
import { expectInteger, expectKnownOptions } from '../errors/expect-options.ts';
import { readThrown } from '../errors/failure.ts';
import { toSafeInput } from '../input/safe-input.ts';
import type { Job, JobOptions, JobSettings, JobsOfOptions } from '../server/job.ts';
import type { QueueOptions } from './queue-transport.ts';

/** Throws a TypeError or a RangeError that names the option. */
type Check = (option: string, value: unknown) => unknown;
type Checks<Options> = Readonly<Record<keyof Options, Check>>;

const integer =
  (min: number, max?: number): Check =>
  (option, value) =>
    expectInteger(option, value as number, max === undefined ? { min } : { min, max });

const holds =
  (expected: string, isRight: (value: unknown) => boolean): Check =>
  (option, value) => {
    if (!isRight(value)) throw new TypeError(`${option}: expected ${expected}.`);
  };

const text = holds('a text that is not empty', (value) => typeof value === 'string' && value !== '');
const flag = holds('true or false', (value) => typeof value === 'boolean');
const texts = holds(
  'an object of texts',
  (value) => typeof value === 'object' && Object.values(value ?? [7]).every((each) => typeof each === 'string'),
);

/** The checks of an object of options, of which those that are `needed` may not be missing. */
const object =
  <Options>(checks: Checks<Options>, ...needed: (keyof Options)[]): Check =>
  (owner, options) => {
    expectKnownOptions(owner, options as object, checks as never);
    for (const [name, check] of Object.entries<Check>(checks)) {
      const value = (options as Readonly<Record<string, unknown>>)[name];
      if (value === undefined && !needed.includes(name as keyof Options)) continue;
      check(`${owner}${owner.includes(' ') ? '.' : ' '}${name}`, value);
    }
  };

/** 2097151 is the highest priority of BullMQ. */
const checkJob = object<JobOptions>({
  delayMs: integer(0),
  jobId: text,
  order: integer(0, 2_097_151),
  headers: texts,
  now: flag,
});
const checkSettings = object<JobsOfOptions>({
  maxJobs: integer(1),
  attempts: integer(1),
  backoffMs: integer(0),
  rate: object<NonNullable<JobsOfOptions['rate']>>({ limit: integer(1), windowMs: integer(1) }, 'limit', 'windowMs'),
  repeat: object<NonNullable<JobsOfOptions['repeat']>>({ cron: text, timezone: text, input: toJson }, 'cron'),
});
export const checkQueue: Check = object<QueueOptions>({
  capabilities: () => {},
  url: text,
  prefix: text,
  isWorker: flag,
  lockMs: integer(1, MAX_TIMEOUT_MS),
  jobs: () => {},
});

export function toJob(key: string, input: unknown, options: JobOptions = {}): Job {
  checkJob('enqueue', options);
  const { delayMs = 0, jobId: id = randomUUID(), order = 0, headers = {} } = options;
  return { id, key, input: toJson(`The input of the job ${key}`, input), headers: { ...headers }, delayMs, order };
}

/** The settings with every default applied. @throws TypeError or RangeError for what they cannot be */
export function toSettings(key: string, options: JobsOfOptions): JobSettings {
  checkSettings(`queueTransport jobs['${key}']`, options);
  const { maxJobs = 10, attempts = 5, backoffMs = 1000, rate, repeat } = options;
  return { maxJobs, attempts, backoffMs, rate, repeat };
}

/** The JSON of an input, as a value, which queues keep. @throws TypeError for what JSON cannot say or would change */
export function toJson(owner: string, input: unknown): unknown {
  const refuse = (reason: string): never => {
    throw new TypeError(`${owner} cannot be queued: ${reason}`);
  };
  const json = JSON.stringify(input ?? {}, (name, value: unknown) => {
    const kind = findUnsayable(value);
    return kind === undefined ? value : refuse(`JSON has no ${kind}${name === '' ? '' : `, as in \`${name}\``}.`);
  });
  const made = toSafeInput(JSON.parse(json));
  return made.ok ? made.value : refuse(`${made.failure.message}.`);
}

/** The word for what JSON has no place for: `function`, `bigint`, `NaN`, `Map`. */
function findUnsayable(value: unknown): string | undefined {
  if (typeof value === 'function' || typeof value === 'symbol' || typeof value === 'bigint') return typeof value;
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value);
  return value instanceof Map || value instanceof Set ? value.constructor.name : undefined;
}

interface Schedule {
  readonly cron: string;
  readonly timezone?: string | undefined;
}

/** The first time of a schedule after another, milliseconds since 1970; undefined without one. @throws Error */
export async function findNextRun({ cron, timezone }: Schedule, afterMs: number): Promise<number | undefined> {
  const { Cron } = await import('croner');
  const schedule = new Cron(cron, { paused: true, ...(timezone === undefined ? {} : { timezone }) });
  return schedule.nextRun(new Date(afterMs))?.getTime();
}

export async function findCronReason(schedule: Schedule): Promise<string | undefined> {
  try {
    await findNextRun(schedule, Date.now());
    return undefined;
  } catch (thrown) {
    return readThrown(thrown).message.replace(/^Cron\w+: /, '');
  }
}
