import type { Job } from '../server/job.ts';

/**
 * The data of a job in a queue, to which other programs can write. Data with a `problem` is not a job of this queue,
 * and does not run.
 */
interface ReadJob extends Pick<Job, 'input' | 'headers'> {
  readonly problem: string | undefined;
}

/** Reads the name and the data of a job in the queue of a key. The input is checked as that of every call. */
export function readJob(key: string, name: string, data: unknown): ReadJob {
  const none = { input: undefined, headers: {} };
  if (typeof data !== 'object' || data === null || Array.isArray(data))
    return { ...none, problem: 'its data is not an object with `input` and `headers`' };
  const input: unknown = Reflect.get(data, 'input');
  const headers: unknown = Reflect.get(data, 'headers') ?? {};
  if (!areHeaders(headers))
    return { ...none, input, problem: 'its `headers` are not an object of texts' };
  const problem = name === key ? undefined : `the name of the job is ${JSON.stringify(name)}`;
  return { input, headers, problem };
}

function areHeaders(value: unknown): value is Job['headers'] {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    Object.values(value).every((each) => typeof each === 'string')
  );
}
