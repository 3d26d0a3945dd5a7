import { randomUUID } from 'node:crypto';
import { MAX_TIMEOUT_MS } from '../enhancers/with-timeout.ts';
import { expectInteger, expectKnownOptions } from '../errors/expect-options.ts';
import { readThrown } from '../errors/failure.ts';
import { toSafeInput } from '../input/safe-input.ts';
import type { Job, JobOptions, JobSettings, JobsOfOptions } from '../server/job.ts';

/** The least and the most of each option that is an integer. 2097151 is the highest priority of BullMQ. */
const ranges: Readonly<Record<string, readonly [min: number, max?: number]>> = {
  delayMs: [0],
  order: [0, 2_097_151],
  maxJobs: [1],
  attempts: [1],
  backoffMs: [0],
  limit: [1],
  windowMs: [1],
  lockMs: [1, MAX_TIMEOUT_MS],
};

/** @throws TypeError for an option of another name; RangeError for one that is not in its range */
export function expectOptions(owner: string, options: object, names: string): void {
  expectKnownOptions(owner, options, names);
  for (const [name, value] of Object.entries(options)) {
    const [min, max = Number.MAX_SAFE_INTEGER] = ranges[name] ?? [];
    if (min !== undefined && value !== undefined) expectInteger(`${owner}.${name}`, value as number, { min, max });
  }
}

export function toJob(key: string, input: unknown, options: JobOptions = {}): Job {
  expectOptions('enqueue', options, 'delayMs jobId order headers now');
  const { delayMs = 0, jobId: id = randomUUID(), order = 0, headers = {} } = options;
  if (typeof id !== 'string' || id === '') throw new TypeError('enqueue.jobId: expected a text that is not empty.');
  return { id, key, input: toJson(`The input of the job ${key}`, input), headers: { ...headers }, delayMs, order };
}

/** The settings with every default applied. @throws TypeError or RangeError for what they cannot be */
export function toSettings(key: string, options: JobsOfOptions): JobSettings {
  const owner = `queueTransport jobs['${key}']`;
  expectOptions(owner, options, 'maxJobs attempts backoffMs rate repeat');
  const { maxJobs = 10, attempts = 5, backoffMs = 1000, rate, repeat } = options;
  const missing = { limit: Number.NaN, windowMs: Number.NaN };
  if (rate !== undefined) expectOptions(`${owner}.rate`, { ...missing, ...rate }, 'limit windowMs');
  if (repeat !== undefined) {
    expectOptions(`${owner}.repeat`, repeat, 'cron timezone input');
    toJson(`${owner}.repeat.input`, repeat.input);
  }
  return { maxJobs, attempts, backoffMs, rate, repeat };
}

const kindsOfJson: ReadonlySet<string> = new Set(['string', 'number', 'boolean', 'object', 'undefined']);

/** The JSON of an input, as a value, which queues keep. @throws TypeError for what JSON cannot say or would change */
export function toJson(owner: string, input: unknown): unknown {
  const refuse = (reason: string): never => {
    throw new TypeError(`${owner} cannot be queued: ${reason}.`);
  };
  const json = JSON.stringify(input ?? {}, (name, value: unknown) => {
    const isCollection = value instanceof Map || value instanceof Set;
    const isNoNumber = typeof value === 'number' && !Number.isFinite(value);
    const kind = isCollection ? value.constructor.name : isNoNumber ? String(value) : typeof value;
    return kindsOfJson.has(kind) ? value : refuse(`JSON has no ${kind}, as in \`${name}\``);
  });
  const made = toSafeInput(JSON.parse(json));
  return made.ok ? made.value : refuse(made.failure.message);
}

interface Schedule {
  readonly cron: string;
  readonly timezone?: string | undefined;
}

/** The first time of a schedule after another, milliseconds since 1970; undefined without one. @throws Error */
export async function findNextRun({ cron, timezone }: Schedule, afterMs: number): Promise<number | undefined> {
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
