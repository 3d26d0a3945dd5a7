import { readThrown } from '../../../server-runtime/errors/read-thrown.ts';
import type { JobBoard, JobCounts, JobWatcher, StoredJob } from '../../../server-runtime/server/jobs/job-board.ts';
import { toPreview } from '../../record/preview.ts';
import type { JobNews, JobOverview, JobQuestions, ShownJob } from './job-news.ts';

/** Looks at the jobs of the code in this process, for those who watch it. */
export interface JobWatch {
  readonly watch: (board: JobBoard) => JobWatcher;
  /** Answers what it is asked. */
  readonly answers: {
    readonly [Name in keyof JobQuestions]: (
      question: JobQuestions[Name]['question'],
    ) => Promise<JobQuestions[Name]['answer']>;
  };
  /** Newer code takes over: no more jobs are taken. Resolves when none is under way. */
  readonly settle: () => Promise<void>;
}

/** Counts are looked at so often, milliseconds. */
const EVERY_MS = 500;
/** Failed jobs are told of together, milliseconds, and no more of them than somebody can read. */
const FLUSH_MS = 100;
const MAX_FAILED = 20;
const MAX_ERROR_LENGTH = 2_000;

export function createJobWatch(tell: (news: JobNews) => void): JobWatch {
  /** With what was last known of each. */
  const boards = new Map<JobBoard, readonly JobCounts[]>();
  const failures = createFailures(tell);
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
    for (const [board, counts] of boards) if (counts.some((each) => each.key === key)) return board;
    throw new Error(`There are no jobs of ${key} any more.`);
  };
  const end = (board: JobBoard): void => {
    boards.delete(board);
    if (boards.size === 0) clearTimeout(timer);
  };
  return {
    watch: (board) => {
      boards.set(board, []);
      void look();
      return { failed: failures.add, close: () => end(board) };
    },
    answers: {
      'list-jobs': async (ranges) => {
        const found = await Promise.all(ranges.map((range) => expectBoard(range.key).list(range)));
        return found.map((jobs) => jobs.map(toShownJob));
      },
      'change-job': async ({ change, key, id }) => {
        const changed = await expectBoard(key).change(change, key, id);
        void look();
        return changed;
      },
    },
    settle: async () => {
      const settling = [...boards.keys()];
      for (const board of settling) end(board);
      await Promise.all(settling.map((board) => board.settle()));
      failures.flush();
    },
  };
}

/** Keeps what is known of a queue that does not answer. */
async function readOverview(boards: Map<JobBoard, readonly JobCounts[]>): Promise<JobOverview> {
  let trouble: string | undefined;
  await Promise.all(
    [...boards.keys()].map(async (board) => {
      try {
        const counts = await board.counts();
        if (boards.has(board)) boards.set(board, counts);
      } catch (thrown) {
        trouble = readThrown(thrown).message;
      }
    }),
  );
  return { queues: [...boards.values()].flat(), trouble };
}

function createFailures(tell: (news: JobNews) => void) {
  let jobs: ShownJob[] = [];
  let omitted = 0;
  let timer: NodeJS.Timeout | undefined;
  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (jobs.length > 0) tell({ kind: 'jobs-failed', jobs, omitted });
    jobs = [];
    omitted = 0;
  };
  return {
    flush,
    add: (job: StoredJob): void => {
      if (jobs.length < MAX_FAILED) jobs.push(toShownJob(job));
      else omitted++;
      timer ??= setTimeout(flush, FLUSH_MS).unref();
    },
  };
}

function toShownJob({ input, headers, error, ...job }: StoredJob): ShownJob {
  return {
    ...job,
    input: toPreview(input),
    headers: toPreview(headers),
    error: error?.slice(0, MAX_ERROR_LENGTH),
  };
}
