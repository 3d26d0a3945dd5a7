import { readThrown } from '../../server-runtime/errors/failure.ts';
import { createSecretCheck, type IsSecret } from '../../server-runtime/schema/secret-names.ts';
import type { FailedJob, JobBoard, JobCounts } from '../../server-runtime/server/job.ts';
import { toPreview } from '../record/preview.ts';
import type { Preview } from '../record/request-record.ts';

const EVERY_MS = 500;
/** The failed jobs that are sent to the screen: more than anybody reads. */
const MAX_FAILED = 100;
const MAX_ERROR_LENGTH = 2_000;

export interface JobOverview {
  readonly queues: readonly JobCounts[];
  /** Jobs that failed, the newest first; of many only some. */
  readonly failed: readonly ShownJob[];
  readonly trouble?: string | undefined;
}

/** A failed job for the screen: values are cut where long, and free of secrets. Text is as others wrote it. */
export interface ShownJob extends Omit<FailedJob, 'input' | 'headers'> {
  readonly input: Preview;
  readonly headers: Preview;
}

export interface JobReport {
  readonly kind: 'jobs';
  readonly overview: JobOverview;
}

export type JobWatch = ReturnType<typeof createJobWatch>;

/** Looks at the jobs of the code in this process, for the screens that watch them. */
export function createJobWatch(tell: (overview: JobReport) => void) {
  /** The last counts of each queue. A queue that does not answer keeps its place with them. */
  const boards = new Map<JobBoard, Pick<JobOverview, 'queues' | 'failed'>>();
  let timer: NodeJS.Timeout | undefined;
  let lastText = '';

  const look = async (): Promise<void> => {
    let trouble: string | undefined;
    const read = async (board: JobBoard): Promise<void> => {
      try {
        const seen = await readBoard(board);
        if (boards.has(board)) boards.set(board, seen);
      } catch (thrown) {
        trouble = readThrown(thrown).message;
      }
    };
    await Promise.all([...boards.keys()].map(read));
    const all = [...boards.values()];
    const failed = all
      .flatMap((seen) => seen.failed)
      .toSorted((one, other) => other.failedAtMs - one.failedAtMs);
    const overview = {
      queues: all.flatMap(({ queues }) => queues),
      failed: failed.slice(0, MAX_FAILED),
      trouble,
    };
    const text = JSON.stringify(overview);
    if (boards.size > 0 && text !== lastText) tell({ kind: 'jobs', overview });
    lastText = text;
    clearTimeout(timer);
    if (boards.size > 0) timer = setTimeout(() => void look(), EVERY_MS).unref();
  };
  return {
    /** Looks at a board from now on; gives what ends that. */
    watch: (board: JobBoard): (() => void) => {
      boards.set(board, { queues: [], failed: [] });
      void look();
      return () => void boards.delete(board);
    },
    retry: async (key: string, id: string): Promise<boolean> => {
      const board = [...boards.keys()].find((each) =>
        boards.get(each)?.queues.some((queue) => queue.key === key),
      );
      if (board === undefined) throw new Error(`There are no jobs of ${key} any more.`);
      const isRetried = await board.retry(key, id);
      void look();
      return isRetried;
    },
    /** Newer code takes over: no more jobs are taken, until `drained`. Resolves when none is under way. */
    settle: async (drained: Promise<unknown>): Promise<void> => {
      const settling = [...boards.keys()];
      boards.clear();
      await Promise.all([drained, ...settling.map((board) => board.settle(drained))]);
    },
  };
}

async function readBoard(board: JobBoard): Promise<Pick<JobOverview, 'queues' | 'failed'>> {
  const queues = await board.counts();
  const keys = queues.flatMap(({ key, failed }) => (failed === 0 ? [] : [key]));
  const failed = await Promise.all(keys.map((key) => board.failed(key, MAX_FAILED)));
  return {
    queues,
    failed: failed
      .flat()
      .map((job) => toShownJob(job, createSecretCheck(board.secretNames(job.key)))),
  };
}

function toShownJob({ input, headers, error, ...job }: FailedJob, isSecret: IsSecret): ShownJob {
  return {
    ...job,
    input: toPreview(input, isSecret),
    headers: toPreview(headers, isSecret),
    error: error.slice(0, MAX_ERROR_LENGTH),
  };
}
