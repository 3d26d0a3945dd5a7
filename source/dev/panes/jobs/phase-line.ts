import type { JobCounts, JobPhase } from '../../../../server-runtime/server/jobs/job-board.ts';
import type { Line } from '../../../kit/line/line.ts';
import { toJobPhaseToken } from './job-columns.ts';
import { type JobFilter, listedPhases, toPhaseTotals } from './queue-sections.ts';

/** `  [all]  failed 3  active 2  waiting 1204  delayed 12`: what is listed, and how many there are. A narrow window has no room for phases without jobs. */
export function toPhaseLine(
  queues: readonly JobCounts[],
  { phase, key, columns }: JobFilter & { readonly columns: number },
): Line {
  const totals = toPhaseTotals(queues, { key });
  const isNarrow = columns < 60;
  const gap = isNarrow ? ' ' : '  ';
  const toPart = (name: JobPhase): Line => [
    { text: gap },
    {
      text: name === phase ? `[${name} ${totals[name]}]` : `${name} ${totals[name]}`,
      token: totals[name] === 0 ? 'muted' : toJobPhaseToken(name),
    },
  ];
  const all: Line = phase === undefined && !isNarrow ? [{ text: '  [all]', token: 'title' }] : [{ text: ' ' }];
  const shown = listedPhases.filter((name) => !isNarrow || totals[name] > 0 || name === phase);
  return [...all, ...shown.flatMap(toPart)];
}
