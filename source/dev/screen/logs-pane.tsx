import { Box } from 'ink';
import { useMemo, useState } from 'react';
import { type ActionWords, toBindings } from '../../kit/actions.ts';
import { fitLine, type Line } from '../../kit/line.ts';
import { LineView } from '../../kit/line-view.tsx';
import { emptyList, type ListState, SCROLL_COLUMNS } from '../../kit/list-state.ts';
import type { Row } from '../../kit/row.ts';
import { RowsView, ScrollView } from '../../kit/rows-view.tsx';
import { useKept } from '../../kit/use-kept.ts';
import { useKeys } from '../../kit/use-keys.ts';
import { useRows } from '../../kit/use-rows.ts';
import { findErrorPlace } from '../../manifest/find-source-place.ts';
import { useScreen } from '../../screens/use-screen.ts';
import { stripControl } from '../../terminal/strip-control.ts';
import type { RequestEntry } from './dev-store.ts';
import { type LogBuffer, type LogLine, parseLogLine, toLogDetails, toLogLine } from './log-lines.ts';
import type { OpenDev } from './use-dev.ts';

export interface LogsPaneProps {
  readonly columns: number;
  readonly rows: number;
  readonly dev: OpenDev;
  /** Whether it has the keys. */
  readonly isFocused: boolean;
  /** Opens a request. */
  readonly onRequest: (request: RequestEntry) => void;
}

const bindings = toBindings(['go', 'toggle', 'clear', 'edit', 'copy'], {
  go: { help: 'Open the line' },
  toggle: { help: 'Pause the log, or follow it', hint: 'pause' },
  clear: { help: 'Clear the log' },
  edit: { help: 'Open the place that the line names in $EDITOR' },
  copy: { help: 'Copy the line', hint: undefined },
});

/** Selects whatever line is the last one. */
const follow: ListState = { ...emptyList, index: Number.POSITIVE_INFINITY, offset: Number.POSITIVE_INFINITY };

/** The output of the server; stdout and stderr are told apart. One line can be opened, and is wrapped there. */
export function LogsPane({ columns, rows, dev, isFocused, onRequest }: LogsPaneProps) {
  const { logs, requests } = dev.store;
  const { copy, edit } = useScreen();
  const [opened, setOpened] = useKept<LogLine | undefined>('logLine', undefined);
  // The lines that were dropped when the list was last moved: those that it shows have moved up by the others.
  const [dropped, setDropped] = useKept('log dropped', 0);
  const found = useRows<LogRow>(toLogRows(logs), 'log', follow);
  const { selected, seen, state } = found;
  const isFollowing = state.selectedKey === undefined;
  const list = {
    ...found,
    state: isFollowing ? state : { ...state, offset: state.offset - (logs.dropped - dropped) },
    onState: (next: ListState): void => {
      setDropped(logs.dropped);
      found.onState(next.index >= seen.length - 1 ? follow : next);
    },
  };
  useKeys({
    title: 'Log',
    bindings,
    isActive: isFocused && opened === undefined,
    onAction: (action) => {
      const log = selected?.log;
      if (action === 'clear') {
        found.onState(follow);
        dev.store.clearLogs();
      } else if (action === 'toggle') {
        const last = Math.max(0, seen.length - 1);
        setDropped(logs.dropped);
        found.onState(isFollowing ? { selectedKey: seen[last]?.row.id, index: last, offset: last } : follow);
      } else if (action === 'go') setOpened(log);
      else if (action === 'copy' && log) copy(stripControl(log.text), 'the line');
      else if (action === 'edit') edit(log && findErrorPlace(logs.stackOf(log), dev.root));
    },
  });
  if (opened !== undefined) {
    const close = () => setOpened(undefined);
    return <OpenedLogLine {...{ columns, rows, requests, isFocused, onRequest }} log={opened} onClose={close} />;
  }
  const at = seen.findIndex(({ row }) => row === selected) + 1;
  const place = isFollowing ? 'follows new lines' : `held at ${at} of ${seen.length}`;
  return (
    <Box flexDirection="column" height={rows}>
      <LineView line={fitLine([{ text: toStateText(logs, place), token: 'muted' }], columns)} />
      <RowsView
        list={list}
        columns={columns}
        rows={Math.max(1, rows - 1)}
        title="Log"
        isFocused={isFocused}
        empty=""
        noMatch="No line matches."
        placeholder="words of a line, or its level: error"
      />
    </Box>
  );
}

function toStateText(logs: LogBuffer, place: string): string {
  if (logs.total === 0) return '  Nothing has been written yet.';
  return `  ${place}${logs.dropped === 0 ? '' : `, ${logs.dropped} older lines dropped`}`;
}

interface LogRow extends Row {
  readonly log: LogLine;
}

/** The same rows until a line comes. */
function toLogRows(logs: LogBuffer): readonly LogRow[] {
  const lines = logs.lines();
  let rows = rowsOfLines.get(lines);
  if (rows === undefined) {
    rows = lines.map(toLogRow);
    rowsOfLines.set(lines, rows);
  }
  return rows;
}

const rowsOfLines = new WeakMap<readonly LogLine[], readonly LogRow[]>();

/** Each line is read once, and only where it is drawn or searched. */
function toLogRow(log: LogLine): LogRow {
  const known = rowOfLine.get(log);
  if (known !== undefined) return known;
  let line: Line | undefined;
  let search: string | undefined;
  const row: LogRow = {
    id: String(log.id),
    log,
    get line() {
      return (line ??= toLogLine(log));
    },
    get search() {
      if (search !== undefined) return search;
      const { level, message, fields, stack } = parseLogLine(log);
      return (search = [level, message, fields, ...stack].join(' '));
    },
  };
  rowOfLine.set(log, row);
  return row;
}

const rowOfLine = new WeakMap<LogLine, LogRow>();

export interface OpenedLogLineProps {
  readonly log: LogLine;
  readonly columns: number;
  readonly rows: number;
  readonly isFocused: boolean;
  readonly onClose: () => void;
  /** The requests that may have written the line. */
  readonly requests: readonly RequestEntry[];
  readonly onRequest: (request: RequestEntry) => void;
}

const words: ActionWords = {
  go: { help: 'Open the request that wrote the line', hint: 'its request' },
  back: { help: 'Back to the log' },
  copy: { help: 'Copy the line' },
};
const openedBindings = toBindings(['back', 'go', 'copy'], {
  ...words,
  go: { help: 'Back to the log', hint: undefined },
});
const requestBindings = toBindings(['go', 'back', 'copy'], words);

/** Columns before what a line says. */
const MARGIN = 1;

/** One line of the log, with all that is in it. */
export function OpenedLogLine(props: OpenedLogLineProps) {
  const { log, columns, rows, isFocused, onClose, requests, onRequest } = props;
  const [offset, setOffset] = useState(0);
  const { copy } = useScreen();
  const request = useMemo(() => findLineRequest(log, requests), [log, requests]);
  useKeys<'go' | 'back' | 'copy'>({
    title: 'Line',
    bindings: request === undefined ? openedBindings : requestBindings,
    isActive: isFocused,
    onAction: (action) => {
      if (action === 'back' || (action === 'go' && request === undefined)) onClose();
      else if (action === 'copy') copy(stripControl(log.text), 'the line');
      else if (request !== undefined) onRequest(request);
    },
  });
  const lines = useMemo(() => toLogDetails(log, columns - MARGIN - SCROLL_COLUMNS), [log, columns]);
  const place = { offset, onOffset: setOffset, columns, rows, isFocused };
  return <ScrollView {...place} lines={lines} margin={MARGIN} title="Line" />;
}

/**
 * The request that wrote a line of the log: the one whose id the line names, else the one nearest in time that recorded
 * such a line; undefined where none did.
 */
function findLineRequest({ text, stream, at }: LogLine, requests: readonly RequestEntry[]): RequestEntry | undefined {
  const named = requests.findLast(({ requestId }) => requestId !== undefined && text.includes(requestId));
  if (named !== undefined) return named;
  const distance = (request: RequestEntry): number => Math.abs(request.at - at);
  return requests
    .filter(({ details }) => details?.logs.some((line) => line.text === text && line.stream === stream))
    .sort((a, b) => distance(a) - distance(b))[0];
}
