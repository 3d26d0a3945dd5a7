import { toError } from '../errors/failure.ts';
import { isFinal, toText } from '../queue/job-runner.ts';
import type { Application } from '../server/create-application.ts';
import { invokeJob } from '../server/invoke-operation.ts';
import type { Job, JobSink } from '../server/job.ts';

/** The jobs that the calls of a test server enqueue. */
export interface TestJobs {
  /** All so far, in their order. Of two with one `jobId` there is the first. */
  readonly enqueued: readonly { readonly key: string; readonly input: unknown }[];
  /** Waits until every job has ended, and those they enqueue. Rejects with the first error that was given up. */
  readonly idle: () => Promise<void>;
}

/** The jobs of a test, and what takes them; `appOf` gives the application that runs them, if any. */
export function createTestJobs(appOf: ((sent: Parameters<JobSink>[1]) => Application) | undefined): TestJobs & {
  readonly sink: JobSink;
} {
  const enqueued: { readonly key: string; readonly input: unknown }[] = [];
  const ids = new Set<string>();
  const faults: Error[] = [];
  let last = Promise.resolve();
  async function run({ id, key, input, headers }: Job, app: Application, attempts: number): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      const outcome = await invokeJob(app, { capability: key, input: structuredClone(input), headers });
      if (outcome.ok) return;
      const { failure } = outcome;
      if (!isFinal(failure) && attempt < attempts) continue;
      const what = `The job ${key} '${id}' was given up at attempt ${attempt} of ${attempts}: ${toText(failure)}`;
      return void faults.push(new Error(what, { cause: toError(failure) }));
    }
  }
  return {
    enqueued,
    idle: async () => {
      for (let seen: unknown; seen !== last; await seen) seen = last;
      const [fault] = faults.splice(0);
      if (fault !== undefined) throw fault;
    },
    sink: (job, queue) => {
      const { id, key, input } = job;
      if (ids.has(`${key} ${id}`)) return;
      ids.add(`${key} ${id}`);
      enqueued.push({ key, input });
      const { attempts = 1 } = queue.settings.get(key) ?? {};
      if (appOf !== undefined) last = last.then(() => run(job, appOf(queue), attempts));
    },
  };
}
