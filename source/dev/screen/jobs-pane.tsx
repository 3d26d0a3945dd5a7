import { useCallback, useMemo } from 'react';
import { type Line, toJsonLines, toOneLine, wrapLine } from '../../kit/line.ts';
import type { Row } from '../../kit/row.ts';
import { type Column, toTableRows } from '../../kit/table.ts';
import { signs, type Token } from '../../kit/theme.ts';
import { useRows } from '../../kit/use-rows.ts';
import { findSource } from '../../manifest/manifest.ts';
import { useProject, useServices } from '../../screens/use-screen.ts';
import type { JobOverview, ShownJob } from '../../serve/job-watch.ts';
import { toClock } from '../../values/duration.ts';
import type { DevSession } from '../session/dev-session.ts';
import { NotedRows, OpenedText, type PaneProps } from './pane.tsx';
import { toFactLines, toSection } from './request-lines.ts';

interface JobRow extends Row {
  readonly job: ShownJob;
}

/** The jobs of the server: how many there are, those that failed, and one of them opened. */
export function JobsPane({ columns, rows, dev, opened, onOpened, isFocused }: PaneProps<ShownJob>) {
  const { edit, notify } = useServices();
  const { project } = useProject();
  const overview = dev.store.jobs;
  const { failed } = overview;
  const all = useMemo(() => toJobRows(failed), [failed]);
  const list = useRows<JobRow>(all, 'jobs');
  const selected = opened ?? list.selected?.job;
  const actions = {
    go: {
      help: 'Open the job, with its input and its error',
      run: () => selected && onOpened(selected),
    },
    again: {
      help: 'Try a failed job again, from its first attempt',
      run: () => selected && void retryJob(dev.session, selected).then(notify),
    },
    edit: {
      help: 'Open the source of its capability in $EDITOR',
      hint: undefined,
      run: () => selected && edit(findSource(project.manifest, selected.key)),
    },
  };
  const isListed = opened !== undefined && failed.some((job) => toJobId(job) === toJobId(opened));
  const toLines = useCallback(
    (room: number) => (opened === undefined ? [] : toJobLines(opened, isListed, room)),
    [opened, isListed],
  );
  const place = { columns, rows, isFocused };
  return (
    <NotedRows
      {...place}
      opened={
        opened && (
          <OpenedText
            {...place}
            id={toJobId(opened)}
            toLines={toLines}
            onBack={() => onOpened(undefined)}
          />
        )
      }
      notes={toNotes(overview)}
      list={list}
      actions={actions}
      empty="No job has failed."
    />
  );
}

function toJobRows(jobs: readonly ShownJob[]): readonly JobRow[] {
  return toTableRows<ShownJob, JobRow>(jobs, {
    columns: tableColumns,
    toRow: (job, toLine) => ({
      id: toJobId(job),
      job,
      line: toLine(),
      search: `${job.key} ${job.id} ${job.error}`,
    }),
  }).rows;
}

/** The error is never left out, since nothing else tells of it. */
const tableColumns: readonly Column<ShownJob>[] = [
  { title: '', get: ({ key }) => key, most: 40, least: 10 },
  { title: '', get: ({ attempts, maxAttempts }) => `${attempts} of ${maxAttempts}`, from: 64 },
  { title: '', get: ({ failedAtMs }) => toClock(failedAtMs), token: 'muted', from: 64 },
  { title: '', get: ({ id }) => id, token: 'muted', from: 64 },
  { title: '', get: ({ error }) => toOneLine(error), token: 'danger', least: 26 },
];

const phases = [
  ['failed', 'danger'],
  ['active', 'success'],
  ['waiting', 'accent'],
  ['delayed', 'muted'],
] as const satisfies readonly (readonly [string, Token])[];

/** The lines above the list: `  failed 3  active 2  waiting 1204  delayed 12`, and why a queue does not answer. */
function toNotes({ queues, trouble }: JobOverview): readonly Line[] {
  const counts = phases.map(([phase, token]): Line[number] => {
    const count = queues.reduce((sum, queue) => sum + queue[phase], 0);
    return { text: `  ${phase} ${count}`, token: count === 0 ? 'muted' : token };
  });
  if (trouble === undefined) return [counts];
  return [
    counts,
    [{ text: `  ${signs.warning} The jobs cannot be read: ${trouble}`, token: 'danger' }],
  ];
}

function toJobId({ key, id }: ShownJob): string {
  return `${key} ${id}`;
}

/** Tries a job again. Gives a line that says what became of it. */
function retryJob(session: Pick<DevSession, 'retryJob'>, job: ShownJob): Promise<string> {
  return session.retryJob(job.key, job.id).then(
    (isRetried) =>
      isRetried
        ? `Waits for its first attempt again: ${toJobId(job)}`
        : 'Not tried again: it has not failed',
    (error: unknown) =>
      `Not tried again: ${error instanceof Error ? error.message : String(error)}`,
  );
}

/** All that is known of a job, to be read from top to bottom. The component that draws it strips escape sequences. */
function toJobLines(job: ShownJob, isListed: boolean, columns: number): readonly Line[] {
  const { id, key, attempts, maxAttempts, addedAtMs, failedAtMs, error, input, headers } = job;
  const facts: Readonly<Record<string, string>> = {
    id,
    attempts: `${attempts} of ${maxAttempts}`,
    'added at': toClock(addedAtMs),
    'failed at': toClock(failedAtMs),
  };
  const lines: readonly Line[] = [
    [
      { text: isListed ? 'failed  ' : 'no longer among the failed  ', token: 'danger' },
      { text: key, token: 'title' },
    ],
    ...toFactLines(facts),
    ...toSection(
      'Error of the last attempt',
      error.split('\n').map((text): Line => [{ text: `  ${text}`, token: 'danger' }]),
    ),
    ...toSection('Input', toJsonLines(input) ?? [[{ text: '  none', token: 'muted' }]]),
    ...toSection('Headers', JSON.stringify(headers) === '{}' ? [] : toJsonLines(headers)),
  ];
  return lines.flatMap((line) => wrapLine(line, columns));
}
