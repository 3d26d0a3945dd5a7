import { useEffect, useRef, useState } from 'react';
import type { AskJobs, JobOverview, ShownJob } from '../../../serve/jobs/job-news.ts';
import { type QueueSection, toJobRanges, toPlacedJobs } from './queue-sections.ts';

export interface JobRows {
  /** The jobs that are seen, by their index in the list. */
  readonly rows: ReadonlyMap<number, ShownJob>;
  /** When they were read, milliseconds since 1970. */
  readonly readAt: number;
  /** Why they could not be read. */
  readonly trouble: string | undefined;
}

export interface JobRowsOptions {
  readonly ask: AskJobs;
  readonly overview: JobOverview;
  readonly sections: readonly QueueSection[];
  /** The window: index of its first row, and its height. */
  readonly offset: number;
  readonly rows: number;
}

/** Jobs take their turns also where their numbers stay the same, milliseconds. */
const EVERY_MS = 1_000;
const noRows: JobRows = { rows: new Map(), readAt: 0, trouble: undefined };

/** Reads the jobs in the window of a list, and a page before and after it: however many there are, no more than that. */
export function useJobRows({ ask, overview, sections, offset, rows }: JobRowsOptions): JobRows {
  const [read, setRead] = useState(noRows);
  const [turn, setTurn] = useState(0);
  const asked = useRef(0);
  // In steps of a page, so that a key that moves the selection asks for nothing.
  const from = Math.max(0, (Math.floor(offset / rows) - 1) * rows);
  useEffect(() => {
    const timer = setInterval(() => setTurn((before) => before + 1), EVERY_MS);
    return () => clearInterval(timer);
  }, []);
  useEffect(() => {
    const number = ++asked.current;
    const ranges = toJobRanges(sections, { from, count: 4 * rows });
    const take = (next: JobRows): void => {
      if (number === asked.current) setRead(next);
    };
    if (ranges.length === 0) return take(noRows);
    ask(
      'list-jobs',
      ranges.map(({ key, phase, from: first, count }) => ({ key, phase, from: first, count })),
    ).then(
      (answers) => take({ rows: toPlacedJobs(ranges, answers), readAt: Date.now(), trouble: undefined }),
      (error: Error) =>
        setRead((before) => (number === asked.current ? { ...before, trouble: error.message } : before)),
    );
  }, [ask, overview, sections, from, rows, turn]);
  return read;
}
