import { readThrown } from '../../server-runtime/errors/failure.ts';
import type { FailedJob, JobBoard, JobCounts } from '../../server-runtime/server/job.ts';
import { toPreview } from '../record/preview.ts';
import type { Preview } from '../record/request-record.ts';

/** The jobs are looked at so often, milliseconds. */
const EVERY_MS = 500;
/** Failed jobs of one capability that are told of: more than somebody reads. */
const MAX_FAILED = 100;
const MAX_ERROR_LENGTH = 2_000;

/** The jobs of a board, as far as they are known. */
interface Seen {
  readonly counts: readonly JobCounts[];
  readonly failed: readonly ShownJob[];
}

export type JobWatch = ReturnType<typeof createJobWatch>;

/** Looks at the jobs of the code in this process, for those who watch it. */
export function createJobWatch(tell: (news: JobNews) => void) {
  /** With what was last known of each. */
  const boards = new Map<JobBoard, Seen>();
  let timer: NodeJS.Timeout | undefined;
  let told = '';

  const look = async (): Promise<void> => {
    clearTimeout(timer);
    const overview = await readOverview(boards);
    const text = JSON.stringify(overview);
    if (boards.size > 0 && text !== told) tell({ kind: 'jobs', overview });
    told = text;
    clearTimeout(timer);
    if (boards.size > 0) timer = setTimeout(() => void look(), EVERY_MS).unref();
  };
  const expectBoard = (key: string): JobBoard => {
    for (const [board, { counts }] of boards) if (counts.some((each) => each.key === key)) return board;
    throw new Error(`There are no jobs of ${key} any more.`);
  };
  const end = (board: JobBoard): void => {
    boards.delete(board);
    if (boards.size === 0) clearTimeout(timer);
  };
  return {
    /** Looks at a board from now on; gives what ends that. */
    watch: (board: JobBoard): (() => void) => {
      boards.set(board, { counts: [], failed: [] });
      void look();
      return () => end(board);
    },
    answers: {
      'retry-job': async ({ key, id }: JobQuestions['retry-job']['question']): Promise<boolean> => {
        const isRetried = await expectBoard(key).retry(key, id);
        void look();
        return isRetried;
      },
    },
    /** Newer code takes over: no more jobs are taken, until `drained`. Resolves when none is under way. */
    settle: async (drained: Promise<unknown>): Promise<void> => {
      const settling = [...boards.keys()];
      for (const board of settling) end(board);
      await Promise.all([drained, ...settling.map((board) => board.settle(drained))]);
    },
  };
}

/** Keeps what is known of a queue that does not answer. */
async function readOverview(boards: Map<JobBoard, Seen>): Promise<JobOverview> {
  let trouble: string | undefined;
  await Promise.all(
    [...boards.keys()].map(async (board) => {
      try {
        const seen = await readBoard(board);
        if (boards.has(board)) boards.set(board, seen);
      } catch (thrown) {
        trouble = readThrown(thrown).message;
      }
    }),
  );
  const all = [...boards.values()];
  const failed = all.flatMap((seen) => seen.failed).toSorted((one, other) => other.failedAtMs - one.failedAtMs);
  return { queues: all.flatMap(({ counts }) => counts), failed: failed.slice(0, MAX_FAILED), trouble };
}

async function readBoard(board: JobBoard): Promise<Seen> {
  const counts = await board.counts();
  const keys = counts.flatMap(({ key, failed }) => (failed === 0 ? [] : [key]));
  const failed = await Promise.all(keys.map((key) => board.failed(key, MAX_FAILED)));
  return { counts, failed: failed.flat().map(toShownJob) };
}

function toShownJob({ input, headers, error, ...job }: FailedJob): ShownJob {
  return { ...job, input: toPreview(input), headers: toPreview(headers), error: error.slice(0, MAX_ERROR_LENGTH) };
}

/** A failed job for the screen: values are cut where long, and free of secrets. Text is as others wrote it. */
export interface ShownJob extends Omit<FailedJob, 'input' | 'headers'> {
  readonly input: Preview;
  readonly headers: Preview;
}

/** The jobs of a server, as they were when the queues last answered. */
export interface JobOverview {
  readonly queues: readonly JobCounts[];
  /** Jobs that failed, the newest first; of many only some. */
  readonly failed: readonly ShownJob[];
  /** Why a queue does not answer now. */
  readonly trouble?: string | undefined;
}

/** A server tells of its jobs unasked, when something has changed. */
export interface JobNews {
  readonly kind: 'jobs';
  readonly overview: JobOverview;
}

export type JobQuestions = {
  readonly 'retry-job': {
    readonly question: { readonly key: string; readonly id: string };
    readonly progress: never;
    /** False where there is none of this id that has failed. */
    readonly answer: boolean;
  };
};

/** Asks the server that answers now. Rejects where there is none, and with what went wrong in its queue. */
export type AskJobs = <Name extends keyof JobQuestions>(
  name: Name,
  question: JobQuestions[Name]['question'],
) => Promise<JobQuestions[Name]['answer']>;
