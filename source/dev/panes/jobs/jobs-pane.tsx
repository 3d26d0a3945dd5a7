import { Box } from 'ink';
import { useCallback, useMemo, useState } from 'react';
import type { JobPhase } from '../../../../server-runtime/server/jobs/job-board.ts';
import { useKept } from '../../../kit/kept/use-kept.ts';
import type { KeyBinding } from '../../../kit/keys/key-binding.ts';
import { useKeys } from '../../../kit/keys/use-keys.ts';
import { fitLine, type Line } from '../../../kit/line/line.ts';
import { LineView } from '../../../kit/line/line-view.tsx';
import { emptyList, findSelected, type ListState } from '../../../kit/list/list-state.ts';
import { ListView } from '../../../kit/list/list-view.tsx';
import { ScrollView } from '../../../kit/list/scroll-view.tsx';
import { useUi } from '../../../kit/theme/use-ui.ts';
import { useScreen } from '../../../screens/use-screen.ts';
import type { JobOverview, ShownJob } from '../../../serve/jobs/job-news.ts';
import type { OpenDev } from '../../use-dev.ts';
import { changeJob, toJobName } from './change-job.ts';
import { toJobColumns, toJobLine } from './job-columns.ts';
import { toJobLines } from './job-lines.ts';
import { toPhaseLine } from './phase-line.ts';
import { countJobs, type JobFilter, toJobId, toNextPhase, toQueueSections } from './queue-sections.ts';
import { type JobRows, useJobRows } from './use-job-rows.ts';

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

type JobsAction = 'open' | 'close' | 'retry' | 'promote' | 'remove' | 'phase' | 'own' | 'edit';

const retry: KeyBinding<JobsAction> = {
  action: 'retry',
  keys: ['a'],
  help: 'Try a failed job again, from its first attempt',
  hint: 'again',
};
const promote: KeyBinding<JobsAction> = {
  action: 'promote',
  keys: ['R'],
  help: 'Run a delayed job without waiting for its time',
  hint: 'run now',
};
const remove: KeyBinding<JobsAction> = {
  action: 'remove',
  keys: ['x'],
  help: 'Remove a job that does not run; pressed twice',
};
const edit: KeyBinding<JobsAction> = {
  action: 'edit',
  keys: ['e'],
  help: 'Open the source of its capability in $EDITOR',
};
const listBindings: readonly KeyBinding<JobsAction>[] = [
  { action: 'open', keys: ['enter'], help: 'Open the job, with its input and its error', hint: 'open' },
  retry,
  promote,
  { action: 'phase', keys: ['L'], help: 'Show failed, active, waiting or delayed jobs only, or all', hint: 'which' },
  { action: 'own', keys: ['f'], help: 'Show only jobs of this capability, or of all' },
  remove,
  edit,
];
const openBindings: readonly KeyBinding<JobsAction>[] = [
  { action: 'close', keys: ['esc', 'enter'], help: 'Back to the jobs', hint: 'back' },
  retry,
  promote,
  remove,
  edit,
];

/** More rows than anybody reads; those of one phase and capability are listed as many again. */
const MAX_LISTED = 10_000;

/** The jobs of the server: what failed, runs, waits, and waits for a time; and one of them opened. */
export function JobsPane({ columns, rows, dev, opened, onOpened, isFocused }: JobsPaneProps) {
  const { symbols } = useUi();
  const { jobs: overview } = dev.store;
  const [list, setList] = useKept<ListState>('jobs', emptyList);
  const [phase, setPhase] = useKept<JobPhase | undefined>('jobPhase', undefined);
  const [key, setKey] = useKept<string | undefined>('jobKey', undefined);
  const sections = useMemo(() => toQueueSections(overview.queues, { phase, key }), [overview, phase, key]);
  // The window of the list may have become lower since its state was kept.
  const offset = Math.max(0, list.index - rows + 1, Math.min(list.offset, list.index));
  const read = useJobRows({ ask: dev.session.askJobs, overview, sections, offset, rows });
  const total = Math.min(countJobs(sections), MAX_LISTED);
  const items = useMemo(() => Array.from({ length: total }, (_, index) => index), [total]);
  const getKey = useCallback((index: number) => toRowKey(read.rows, index), [read.rows]);
  const selected = read.rows.get(findSelected(items, list, getKey) ?? 0);
  const fresh = opened && [...read.rows.values()].find((job) => toJobId(job) === toJobId(opened));
  useJobKeys({
    dev,
    selected: opened ?? selected,
    isOpened: opened !== undefined,
    isFocused,
    onOpened,
    onPhase: () => setPhase(toNextPhase(phase)),
    onOwn: () => setKey(key === undefined ? selected?.key : undefined),
  });
  const toLine = useJobLine(read, columns);
  if (opened !== undefined)
    return (
      <OpenedJob
        {...{ columns, rows, isFocused }}
        now={read.readAt}
        job={fresh ?? opened}
        isListed={fresh !== undefined}
      />
    );
  const notes = toNotes(dev.store.jobs, { phase, key, columns, trouble: read.trouble, symbol: symbols.warning });
  return (
    <Box flexDirection="column" height={rows}>
      {notes.map((line, index) => (
        <LineView key={index} line={fitLine(line, columns, symbols.ellipsis)} />
      ))}
      <ListView
        items={items}
        getKey={getKey}
        toLine={toLine}
        state={list}
        onState={setList}
        columns={columns}
        rows={Math.max(1, rows - notes.length)}
        title="Jobs"
        isFocused={isFocused}
        empty={phase === undefined ? 'No job waits, runs or has failed.' : `No ${phase} job.`}
      />
    </Box>
  );
}

interface NotesOptions extends JobFilter {
  readonly columns: number;
  /** Why the list could not be read. */
  readonly trouble: string | undefined;
  /** The sign before the text. */
  readonly symbol: string;
}

/** The lines above the list. */
function toNotes(overview: JobOverview, { phase, key, columns, trouble, symbol }: NotesOptions): readonly Line[] {
  const away = overview.trouble ?? trouble;
  return [
    toPhaseLine(overview.queues, { phase, key, columns }),
    ...(key === undefined ? [] : [[{ text: `  only ${key}, f shows all`, token: 'muted' }] satisfies Line]),
    ...(away === undefined
      ? []
      : [[{ text: `  ${symbol} The jobs cannot be read: ${away}`, token: 'danger' }] satisfies Line]),
  ];
}

/** The key of a row: unique, and that of the job once it is known, so that the selection follows the job. */
function toRowKey(rows: JobRows['rows'], index: number): string {
  const job = rows.get(index);
  return job === undefined ? `#${index}` : toJobId(job);
}

/** The same function as long as the jobs are the same. */
function useJobLine({ rows, readAt }: JobRows, columns: number): (index: number) => Line {
  return useMemo(() => {
    const layout = toJobColumns([...rows.values()], columns - 3);
    return (index) => {
      const job = rows.get(index);
      return job === undefined ? [{ text: '…', token: 'muted' }] : toJobLine(job, layout, readAt);
    };
  }, [rows, readAt, columns]);
}

interface JobKeys {
  readonly dev: OpenDev;
  readonly selected: ShownJob | undefined;
  readonly isOpened: boolean;
  readonly isFocused: boolean;
  /** Opens a job, or closes it. */
  readonly onOpened: (job: ShownJob | undefined) => void;
  /** Lists the next phase. */
  readonly onPhase: () => void;
  /** Keeps to the jobs of a capability, or shows all again. */
  readonly onOwn: () => void;
}

function useJobKeys({ dev, selected, isOpened, isFocused, onOpened, onPhase, onOwn }: JobKeys): void {
  const { edit: editSource, notify, project } = useScreen();
  const [, setOffset] = useKept('jobOffset', 0);
  const [toRemove, setToRemove] = useState<string>();
  useKeys<JobsAction>({
    title: 'Job',
    bindings: isOpened ? openBindings : listBindings,
    isActive: isFocused,
    onAction: (action) => {
      setToRemove(undefined);
      if (action === 'close') onOpened(undefined);
      else if (action === 'phase') onPhase();
      else if (action === 'own') onOwn();
      else if (selected === undefined) return;
      else if (action === 'open') {
        setOffset(0);
        onOpened(selected);
      } else if (action === 'edit') editSource(project.manifest?.jobs?.find(({ key }) => key === selected.key)?.source);
      else if (action === 'remove' && toRemove !== toJobId(selected)) {
        setToRemove(toJobId(selected));
        notify(`x again removes ${toJobName(selected)}`);
      } else void changeJob(dev.session.askJobs, action, selected).then(notify);
    },
  });
}

interface OpenedJobProps {
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly job: ShownJob;
  /** Whether it is where it was. */
  readonly isListed: boolean;
  readonly columns: number;
  readonly rows: number;
  readonly isFocused: boolean;
}

function OpenedJob({ job, now, isListed, columns, rows, isFocused }: OpenedJobProps) {
  const [offset, setOffset] = useKept('jobOffset', 0);
  const lines = useMemo(() => toJobLines(job, { columns: columns - 1, now, isListed }), [job, columns, now, isListed]);
  return <ScrollView {...{ lines, offset, columns, rows, isFocused }} onOffset={setOffset} title="Job" />;
}
