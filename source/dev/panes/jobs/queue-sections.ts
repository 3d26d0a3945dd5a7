import type { JobCounts, JobPhase, JobRange } from '../../../../server-runtime/server/jobs/job-board.ts';
import type { ShownJob } from '../../../serve/jobs/job-news.ts';

/** The jobs that are listed. */
export interface JobFilter {
  /** @default all */
  readonly phase?: JobPhase | undefined;
  /** Key of a capability. @default all */
  readonly key?: string | undefined;
}

/** The jobs of one capability in one phase: a part of the list. */
export interface QueueSection {
  readonly key: string;
  readonly phase: JobPhase;
  readonly count: number;
}

/** In their order in the list: jobs that somebody has to look at come first. */
export const listedPhases = ['failed', 'active', 'waiting', 'delayed'] as const satisfies readonly JobPhase[];

/** The parts of the list, none of them empty. Their jobs are not known yet. */
export function toQueueSections(queues: readonly JobCounts[], { phase, key }: JobFilter): readonly QueueSection[] {
  return listedPhases
    .filter((each) => phase === undefined || each === phase)
    .flatMap((each) =>
      queues
        .filter((queue) => queue[each] > 0 && (key === undefined || queue.key === key))
        .map((queue) => ({ key: queue.key, phase: each, count: queue[each] })),
    );
}

export function countJobs(sections: readonly QueueSection[]): number {
  return sections.reduce((sum, { count }) => sum + count, 0);
}

/** The total of each phase: `{waiting: 1204, delayed: 12, active: 2, failed: 3}`. */
export function toPhaseTotals(
  queues: readonly JobCounts[],
  { key }: Pick<JobFilter, 'key'>,
): Readonly<Record<JobPhase, number>> {
  const shown = queues.filter((queue) => key === undefined || queue.key === key);
  const total = (phase: JobPhase) => shown.reduce((sum, queue) => sum + queue[phase], 0);
  return { waiting: total('waiting'), delayed: total('delayed'), active: total('active'), failed: total('failed') };
}

/** The next one to list after a phase, and all after the last. */
export function toNextPhase(phase: JobPhase | undefined): JobPhase | undefined {
  return phase === undefined ? listedPhases[0] : listedPhases[listedPhases.indexOf(phase) + 1];
}

/** A range with the index in the list of its first job. */
export interface PlacedRange extends JobRange {
  readonly index: number;
}

/** The ranges that rows of the list are made of. */
export function toJobRanges(
  sections: readonly QueueSection[],
  { from, count }: { readonly from: number; readonly count: number },
): readonly PlacedRange[] {
  const ranges: PlacedRange[] = [];
  let start = 0;
  for (const section of sections) {
    const first = Math.max(from, start);
    const end = Math.min(from + count, start + section.count);
    if (first < end) {
      const { key, phase } = section;
      ranges.push({ key, phase, from: first - start, count: end - first, index: first });
    }
    start += section.count;
  }
  return ranges;
}

/** The jobs by their index in the list. One that went from one phase to another meanwhile is in one place. */
export function toPlacedJobs(
  ranges: readonly PlacedRange[],
  answers: readonly (readonly ShownJob[])[],
): ReadonlyMap<number, ShownJob> {
  const rows = new Map<number, ShownJob>();
  const seen = new Set<string>();
  for (const [at, { index }] of ranges.entries()) {
    for (const [offset, job] of (answers[at] ?? []).entries()) {
      const id = toJobId(job);
      if (!seen.has(id)) rows.set(index + offset, job);
      seen.add(id);
    }
  }
  return rows;
}

/** Unique among all jobs of a server. */
export function toJobId({ key, id }: Pick<ShownJob, 'key' | 'id'>): string {
  return `${key} ${id}`;
}
