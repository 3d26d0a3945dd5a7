import { randomUUID } from 'node:crypto';
import { expectInteger } from '../errors/expect-integer.ts';
import { expectKnownOptions, type OptionNames } from '../errors/expect-known-options.ts';
import { isTooDeep, tooDeepMessage } from '../input/is-too-deep.ts';
import type { Job, JobOptions } from '../server/jobs/job.ts';

const optionNames: OptionNames<JobOptions> = { delayMs: true, jobId: true, order: true, headers: true, now: true };
/** The highest priority of BullMQ. */
const MAX_ORDER = 2_097_151;

/** @throws TypeError or RangeError for what no queue can keep */
export function toJob(key: string, input: unknown, options: JobOptions = {}): Job {
  expectKnownOptions('enqueue', options, optionNames);
  const { delayMs = 0, jobId: id = randomUUID(), order = 0, headers = {} } = options;
  expectInteger('enqueue delayMs', delayMs, { min: 0 });
  expectInteger('enqueue order', order, { min: 0, max: MAX_ORDER });
  expectText('enqueue jobId', id);
  if (typeof (options.now ?? false) !== 'boolean') throw new TypeError('enqueue now: expected true or false.');
  if (typeof headers !== 'object' || Object.values(headers).some((value) => typeof value !== 'string'))
    throw new TypeError('enqueue headers: expected an object of texts.');
  return { id, key, input: toJson(key, input), headers: { ...headers }, delayMs, order };
}

export function expectText(option: string, value: unknown): void {
  if (typeof value !== 'string' || value === '') throw new TypeError(`${option}: expected a text that is not empty.`);
}

/**
 * The JSON of an input, as a value: every queue keeps nothing else.
 *
 * @throws TypeError for what JSON cannot say, or would leave out or change without a word
 */
export function toJson(key: string, input: unknown): unknown {
  const refuse = (reason: string): never => {
    throw new TypeError(`The input of the job ${key} cannot be queued: ${reason}`);
  };
  const text = JSON.stringify(input ?? {}, (name, value: unknown) => {
    const kind = findUnsayable(value);
    return kind === undefined ? value : refuse(`JSON has no ${kind}${name === '' ? '' : `, as in \`${name}\``}.`);
  });
  const made = JSON.parse(text) as unknown;
  return isTooDeep(made) ? refuse(`${tooDeepMessage('The input')}.`) : made;
}

/** The word for what JSON has no place for: `function`, `bigint`, `NaN`, `Map`. */
function findUnsayable(value: unknown): string | undefined {
  if (typeof value === 'function' || typeof value === 'symbol' || typeof value === 'bigint') return typeof value;
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value);
  return value instanceof Map || value instanceof Set ? value.constructor.name : undefined;
}
