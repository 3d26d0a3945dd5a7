import { Box, useApp } from 'ink';
import { useEffect, useMemo } from 'react';
import { CliError } from '../cli/cli-error.ts';
import { exitCodes } from '../cli/cli-errors.ts';
import { changeClasses } from '../contract/changes/contract-change.ts';
import type { JudgedDiff } from '../contract/summary/apply-settings.ts';
import type { KeyHandler } from '../kit/actions.ts';
import { type Line, toTextLines } from '../kit/line.ts';
import { LineViews } from '../kit/line-view.tsx';
import { cutStart } from '../kit/text.ts';
import { signs } from '../kit/theme.ts';
import { useRows } from '../kit/use-rows.ts';
import { useBodySize } from '../kit/use-ui.ts';
import { DEFAULT_CONFIG } from '../load/expect-project.ts';
import { toListed } from '../manifest/manifest.ts';
import type { Location } from '../screens/location.ts';
import { RowsWithDetails } from '../screens/master-detail.tsx';
import { ScreenFrame } from '../screens/screen-frame.tsx';
import { useRowActions } from '../screens/use-row-actions.ts';
import { useNavigation, useProject, useServices } from '../screens/use-screen.ts';
import { toCount } from '../values/count.ts';
import { type AcceptedChange, acceptChanges } from './accept-changes.ts';
import { classTokens, type DiffRow, toDiffRows } from './diff-rows.ts';
import { countClasses, failsFor } from './diff-totals.ts';
import { toNamedSides } from './load-compared.ts';
import { type OpenSides, useSides } from './use-sides.ts';

/**
 * `capix diff`: what the open project, or another side, changes for callers of the first side. That is the last commit
 * where no side is named.
 */
export default function DiffScreen() {
  const { entry } = useNavigation();
  const { exit } = useApp();
  const route: Partial<DiffLocation> = entry.route.screen === 'diff' ? entry.route : {};
  const { before: named = 'HEAD', options } = route;
  const { failOn = [] } = options ?? {};
  // The code that loads the sides refuses a second name beside one that names both.
  const { before, after } =
    route.after === undefined
      ? toNamedSides({ before: named })
      : { before: named, after: route.after };
  const open = useSides({ before, after }, options);
  const { judged, problem, unread } = open;
  // A name of the command line is refused there.
  const refused = entry.id === 0 && !open.isLoaded ? problem : undefined;
  useEffect(() => {
    if (refused !== undefined) exit(refused);
  });
  const fails =
    entry.id === 0 && judged !== undefined && failsFor(judged.diff, failOn, unread.length);
  return (
    <ScreenFrame
      screen="diff"
      {...(fails ? { onLeave: () => exit({ exitCode: exitCodes.failed }) } : {})}
    >
      <DiffView {...open} before={before} after={after} />
    </ScreenFrame>
  );
}

type DiffLocation = Extract<Location, { readonly screen: 'diff' }>;

interface DiffViewProps extends OpenSides {
  /** The sides as they were named; the newer one is the open project where it was not. */
  readonly before: string;
  readonly after: string | undefined;
}

/** The names of both sides, and under them their differences as of the last good load of each. */
function DiffView({ before, after, reload, ...open }: DiffViewProps) {
  const { judged, progress, problem, notes, unread } = open;
  const { columns, rows } = useBodySize();
  const { config } = useServices();
  const { project, marks } = useProject();
  const { manifest } = project;
  const all = useMemo(() => toAllRows(judged, manifest, unread), [judged, manifest, unread]);
  const marked = all.flatMap(({ children = [] }) =>
    children.filter((row) => marks.has(row.capability?.key ?? '')),
  );
  const list = useRows<DiffRow>(all, 'differences');
  const { go, show, copy, edit } = useRowActions(list);
  const accept = useAccept(list.selected?.accepts ?? []);
  const actions = {
    go: { ...go, help: 'Show the capability', hint: 'show' },
    show: { ...show, hint: undefined },
    copy,
    edit,
    aside: accept,
    reload: { help: 'Load the sides that were named again', run: reload },
  };
  const now = after ?? config ?? manifest?.project.config ?? DEFAULT_CONFIG;
  const width = Math.floor(columns / 2) - 3;
  const isBroken = hasNoSide(problem, after, project.failure);
  const waiting = isBroken
    ? '   Nothing to compare until both sides load.'
    : toWaitingText(progress);
  const head: readonly Line[] = [
    [{ text: ` ${cutStart(before, width)} ${signs.arrow} ${cutStart(now, width)}` }],
    ...toProblemLines(problem),
    ...notes.map((note): Line => [{ text: `   ${note}`, token: 'warning' }]),
    judged === undefined ? [{ text: waiting, token: 'muted' }] : toTotals(judged, unread.length),
  ];
  return (
    <Box flexDirection="column" height={rows}>
      <LineViews lines={head} columns={columns} />
      {judged && (
        <RowsWithDetails
          columns={columns}
          rows={rows - head.length}
          list={list}
          toDetails={(room) =>
            (list.selected?.details ?? []).flatMap(([text, token]) =>
              toTextLines(text, room, token),
            )
          }
          actions={actions}
          marked={new Set(marked.map(({ id }) => id))}
          empty="No differences."
          noMatch="No difference matches."
          placeholder="words of a capability or a change: breaking agents"
        />
      )}
    </Box>
  );
}

/** Whether one of the sides cannot be loaded as it is now. The newer one is the open project where none was named. */
function hasNoSide(
  problem: OpenSides['problem'],
  after: string | undefined,
  failure: unknown,
): boolean {
  if (problem !== undefined) return true;
  return after === undefined && failure !== undefined;
}

/** What is wrong, and what to do about it where the error says so. */
function toProblemLines(problem: OpenSides['problem']): readonly Line[] {
  if (problem === undefined) return [];
  const message: Line = [{ text: `   ${problem.message}`, token: 'danger' }];
  const hint = problem instanceof CliError ? problem.hint : undefined;
  return hint ? [message, [{ text: `   ${hint}`, token: 'muted' }]] : [message];
}

/** The differences as rows, with the capabilities of the newer side; none before both sides have loaded. */
function toAllRows(
  judged: OpenSides['judged'],
  manifest: Parameters<typeof toListed>[0] | undefined,
  unread: OpenSides['unread'],
): readonly DiffRow[] {
  if (judged === undefined) return [];
  const listed = manifest === undefined ? [] : toListed(manifest);
  return toDiffRows(judged, new Map(listed.map((each) => [each.key, each])), unread);
}

/** The key that accepts what is selected, in the settings of the project, for a reason that it asks for. */
function useAccept(changes: readonly AcceptedChange[]): KeyHandler {
  const { ask, notify, terminal } = useServices();
  const { project } = useProject();
  const root = project.manifest?.project.root ?? terminal.workingDirectory();
  const accept = async (): Promise<void> => {
    const text = `${toCount(changes.length, 'change')} for diff.ignore in the settings of the project`;
    const note = { text, isProblem: false };
    const reason = await ask({ label: 'Accept because', placeholder: 'announced in May', note });
    if (reason) notify(await acceptChanges(root, changes, reason));
  };
  return {
    help: 'Accept it, for a reason, in the settings of the project',
    hint: 'accept',
    off: changes.length === 0 ? 'Select a change that breaks a caller' : undefined,
    run: () => void accept().catch(({ message }: Error) => notify(message)),
  };
}

function toTotals({ diff, ignored }: JudgedDiff, unreadCount: number): Line {
  const counts = countClasses(diff);
  const totals = changeClasses.map((type) => {
    const token = counts[type] > 0 ? classTokens[type] : ('muted' as const);
    return { text: ` ${counts[type]} ${type}`, token };
  });
  return [
    { text: '  ' },
    ...totals,
    { text: ignored.length === 0 ? '' : ` ${ignored.length} ignored`, token: 'muted' },
    { text: unreadCount === 0 ? '' : ` ${unreadCount} not compared`, token: 'warning' },
  ];
}

function toWaitingText(progress: OpenSides['progress']): string {
  return progress === undefined
    ? '   Loading both sides'
    : `   Comparing ${progress.compared} of ${progress.total} operations`;
}
