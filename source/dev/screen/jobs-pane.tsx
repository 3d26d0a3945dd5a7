import { Box } from 'ink';
import { useMemo } from 'react';
import { type ActionWords, toBindings } from '../../kit/actions.ts';
import { fitLine, type Line, toJsonLines, toOneLine, wrapLine } from '../../kit/line.ts';
import { LineView } from '../../kit/line-view.tsx';
import type { Row } from '../../kit/row.ts';
import { RowsView, ScrollView } from '../../kit/rows-view.tsx';
import { type Column, createTable } from '../../kit/table.ts';
import { signs, type Token } from '../../kit/theme.ts';
import { useKept } from '../../kit/use-kept.ts';
import { useKeys } from '../../kit/use-keys.ts';
import { useRows } from '../../kit/use-rows.ts';
import { findSource } from '../../manifest/listed.ts';
import { toClock } from '../../screens/shell-status.ts';
import { useScreen } from '../../screens/use-screen.ts';
import type { AskJobs, JobOverview, ShownJob } from '../../serve/job-watch.ts';
import type { OpenDev } from './use-dev.ts';

export interface JobsPaneProps {
  readonly columns: number;
  readonly rows: number;
  readonly dev: OpenDev;
  /** The job that is shown in place of the list. */
  readonly opened: ShownJob | undefined;
  readonly onOpened: (job: ShownJob | undefined) => void;
  /** Whether it has the keys. */
  readonly isFocused: boolean;
}

const words: ActionWords = {
  go: { help: 'Open the job, with its input and its error' },
  back: { help: 'Back to the jobs' },
  again: { help: 'Try a failed job again, from its first attempt' },
  edit: { help: 'Open the source of its capability in $EDITOR', hint: undefined },
};
const listBindings = toBindings(['go', 'again', 'edit'], words);
const openBindings = toBindings(['back', 'go', 'again', 'edit'], {
  ...words,
  go: { help: 'Back to the jobs', hint: undefined },
});

interface JobRow extends Row {
  readonly job: ShownJob;
}

/** The jobs of the server: how many there are, those that failed, and one of them opened. */
export function JobsPane({ columns, rows, dev, opened, onOpened, isFocused }: JobsPaneProps) {
  const { edit: editSource, notify, project } = useScreen();
  const overview = dev.store.jobs;
  const { failed } = overview;
  const [offset, setOffset] = useKept('jobOffset', 0);
  const all = useMemo(() => toJobRows(failed), [failed]);
  const list = useRows<JobRow>(all, 'jobs');
  const selected = opened ?? list.selected?.job;
  const fresh = opened && failed.find((job) => toJobId(job) === toJobId(opened));
  useKeys<'go' | 'back' | 'again' | 'edit'>({
    title: 'Job',
    bindings: opened === undefined ? listBindings : openBindings,
    isActive: isFocused,
    onAction: (action) => {
      if (action === 'back' || (action === 'go' && opened !== undefined)) return onOpened(undefined);
      if (selected === undefined) return;
      if (action === 'again') return void retryJob(dev.session.askJobs, selected).then(notify);
      if (action === 'edit') return editSource(findSource(project.manifest, selected.key));
      setOffset(0);
      onOpened(selected);
    },
  });
  const lines = useMemo(
    () => opened && toJobLines(fresh ?? opened, { columns: columns - 1, isListed: fresh !== undefined }),
    [opened, fresh, columns],
  );
  if (lines !== undefined)
    return <ScrollView {...{ lines, offset, columns, rows, isFocused }} onOffset={setOffset} title="Job" />;
  const notes = toNotes(overview, signs.warning);
  return (
    <Box flexDirection="column" height={rows}>
      {notes.map((line, index) => (
        <LineView key={index} line={fitLine(line, columns)} />
      ))}
      <RowsView
        list={list}
        columns={columns}
        rows={Math.max(1, rows - notes.length)}
        title="Jobs"
        isFocused={isFocused}
        empty="No job has failed."
      />
    </Box>
  );
}

function toJobRows(jobs: readonly ShownJob[]): readonly JobRow[] {
  const toTable = createTable(jobs, tableColumns);
  return jobs.map((job) => ({
    id: toJobId(job),
    job,
    line: (width) => toTable(width).toLine(job),
    search: `${job.key} ${job.id} ${job.error}`,
  }));
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
function toNotes({ queues, trouble }: JobOverview, symbol: string): readonly Line[] {
  const counts = phases.map(([phase, token]): Line[number] => {
    const count = queues.reduce((sum, queue) => sum + queue[phase], 0);
    return { text: `  ${phase} ${count}`, token: count === 0 ? 'muted' : token };
  });
  const away: Line = [{ text: `  ${symbol} The jobs cannot be read: ${trouble}`, token: 'danger' }];
  return trouble === undefined ? [counts] : [counts, away];
}

/** Unique among all jobs of a server. */
function toJobId({ key, id }: ShownJob): string {
  return `${key} ${id}`;
}

/** Longer ids were made by a program; as many characters of one tell it from others. */
const MAX_ID = 20;
const ID_START = 8;

/** Tries a job again. Gives a line that says what became of it. */
async function retryJob(ask: AskJobs, { key, id }: ShownJob): Promise<string> {
  const name = `${key} ${id.length > MAX_ID ? `${id.slice(0, ID_START)}…` : id}`;
  try {
    const isRetried = await ask('retry-job', { key, id });
    return isRetried ? `${name} waits for its first attempt again` : `${name} is as it was: it has not failed any more`;
  } catch (error) {
    return `${name} is as it was: ${error instanceof Error ? error.message : String(error)}`;
  }
}

export interface JobLinesOptions {
  readonly columns: number;
  /** Whether the list has it still, else this is how it was. */
  readonly isListed: boolean;
}

/** All that is known of a job, to be read from top to bottom. Who draws it strips escape sequences. */
export function toJobLines(job: ShownJob, { columns, isListed }: JobLinesOptions): readonly Line[] {
  const { id, key, attempts, maxAttempts, addedAtMs, failedAtMs, error, input, headers } = job;
  const facts: readonly (readonly [string, string])[] = [
    ['id', id],
    ['attempts', `${attempts} of ${maxAttempts}`],
    ['added at', toClock(addedAtMs)],
    ['failed at', toClock(failedAtMs)],
  ];
  const lines: readonly Line[] = [
    [
      { text: 'failed  ', token: 'danger' },
      { text: key, token: 'title' },
    ],
    ...(isListed ? [] : [toTitle('It is no longer among the failed ones. This is how it was.', 'warning')]),
    ...facts.map(([name, value]): Line => [{ text: `  ${name.padEnd(12)}`, token: 'muted' }, { text: value }]),
    [],
    toTitle('Error of the last attempt'),
    ...error.split('\n').map((text): Line => [{ text: `  ${text}`, token: 'danger' }]),
    [],
    toTitle('Input'),
    ...(toJsonLines(input) ?? [[{ text: '  none', token: 'muted' }] satisfies Line]),
    ...(isEmpty(headers) ? [] : [[], toTitle('Headers'), ...(toJsonLines(headers) ?? [])]),
  ];
  return lines.flatMap((line) => wrapLine(line, columns));
}

function toTitle(text: string, token: 'title' | 'warning' = 'title'): Line {
  return [{ text, token }];
}

function isEmpty(headers: ShownJob['headers']): boolean {
  return typeof headers !== 'object' || headers === null || Object.keys(headers).length === 0;
}
