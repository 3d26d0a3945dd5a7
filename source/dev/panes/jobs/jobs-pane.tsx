import { Box } from 'ink';
import { useMemo } from 'react';
import { useKept } from '../../../kit/kept/use-kept.ts';
import type { KeyBinding } from '../../../kit/keys/key-binding.ts';
import { useKeys } from '../../../kit/keys/use-keys.ts';
import { fitLine, type Line } from '../../../kit/line/line.ts';
import { LineView } from '../../../kit/line/line-view.tsx';
import { emptyList, findSelected, type ListState } from '../../../kit/list/list-state.ts';
import { ListView } from '../../../kit/list/list-view.tsx';
import { ScrollView } from '../../../kit/list/scroll-view.tsx';
import type { Token } from '../../../kit/theme/tokens.ts';
import { useUi } from '../../../kit/theme/use-ui.ts';
import { useScreen } from '../../../screens/use-screen.ts';
import type { AskJobs, JobOverview, ShownJob } from '../../../serve/jobs/job-news.ts';
import type { OpenDev } from '../../use-dev.ts';
import { toJobColumns, toJobLine } from './job-columns.ts';
import { toJobLines } from './job-lines.ts';

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

type JobsAction = 'open' | 'close' | 'retry' | 'edit';

const retry: KeyBinding<JobsAction> = {
  action: 'retry',
  keys: ['a'],
  help: 'Try a failed job again, from its first attempt',
  hint: 'again',
};
const edit: KeyBinding<JobsAction> = {
  action: 'edit',
  keys: ['e'],
  help: 'Open the source of its capability in $EDITOR',
};
const listBindings: readonly KeyBinding<JobsAction>[] = [
  { action: 'open', keys: ['enter'], help: 'Open the job, with its input and its error', hint: 'open' },
  retry,
  edit,
];
const openBindings: readonly KeyBinding<JobsAction>[] = [
  { action: 'close', keys: ['esc', 'enter'], help: 'Back to the jobs', hint: 'back' },
  retry,
  edit,
];

/** The jobs of the server: how many there are, those that failed, and one of them opened. */
export function JobsPane({ columns, rows, dev, opened, onOpened, isFocused }: JobsPaneProps) {
  const { symbols } = useUi();
  const { edit: editSource, notify, project } = useScreen();
  const overview = dev.store.jobs;
  const { failed } = overview;
  const [list, setList] = useKept<ListState>('jobs', emptyList);
  const [offset, setOffset] = useKept('jobOffset', 0);
  const selected = opened ?? findSelected(failed, list, toJobId);
  const fresh = opened && failed.find((job) => toJobId(job) === toJobId(opened));
  useKeys<JobsAction>({
    title: 'Job',
    bindings: opened === undefined ? listBindings : openBindings,
    isActive: isFocused,
    onAction: (action) => {
      if (action === 'close') return onOpened(undefined);
      if (selected === undefined) return;
      if (action === 'retry') return void retryJob(dev.session.askJobs, selected).then(notify);
      if (action === 'edit') return editSource(project.manifest?.jobs?.find(({ key }) => key === selected.key)?.source);
      setOffset(0);
      onOpened(selected);
    },
  });
  const lines = useMemo(
    () => opened && toJobLines(fresh ?? opened, { columns: columns - 1, isListed: fresh !== undefined }),
    [opened, fresh, columns],
  );
  const toLine = useMemo(() => {
    const layout = toJobColumns(failed, columns - 3);
    return (job: ShownJob) => toJobLine(job, layout);
  }, [failed, columns]);
  if (lines !== undefined)
    return <ScrollView {...{ lines, offset, columns, rows, isFocused }} onOffset={setOffset} title="Job" />;
  const notes = toNotes(overview, symbols.warning);
  return (
    <Box flexDirection="column" height={rows}>
      {notes.map((line, index) => (
        <LineView key={index} line={fitLine(line, columns, symbols.ellipsis)} />
      ))}
      <ListView
        items={failed}
        getKey={toJobId}
        toLine={toLine}
        state={list}
        onState={setList}
        columns={columns}
        rows={Math.max(1, rows - notes.length)}
        title="Jobs"
        isFocused={isFocused}
        empty="No job has failed."
      />
    </Box>
  );
}

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
