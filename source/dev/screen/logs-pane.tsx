import { Box } from 'ink';
import { useCallback, useMemo } from 'react';
import { toBindings } from '../../kit/actions.ts';
import { fitLine } from '../../kit/line.ts';
import { LineView } from '../../kit/line-view.tsx';
import { emptyList, type ListState } from '../../kit/list-state.ts';
import { RowsView } from '../../kit/rows-view.tsx';
import { useKeys } from '../../kit/use-keys.ts';
import { useRows } from '../../kit/use-rows.ts';
import { findErrorPlace } from '../../manifest/find-source-place.ts';
import { useScreen } from '../../screens/use-screen.ts';
import { stripControl } from '../../terminal/strip-control.ts';
import type { RequestEntry } from './dev-store.ts';
import { type LogBuffer, type LogLine, toLogDetails } from './log-lines.ts';
import { OpenedText, type PaneProps } from './opened-text.tsx';
import { useHeld } from './use-held.ts';

export interface LogsPaneProps extends PaneProps<LogLine> {
  readonly onRequest: (request: RequestEntry) => void;
}

const listBindings = toBindings(['go', 'toggle', 'clear', 'edit', 'copy'], {
  go: { help: 'Open the line' },
  toggle: { help: 'Pause the log, or follow it', hint: 'pause' },
  clear: { help: 'Clear the log' },
  edit: { help: 'Open the place that the line names in $EDITOR' },
  copy: { help: 'Copy the line', hint: undefined },
});
const openBindings = toBindings(['go', 'back', 'edit', 'copy'], {
  go: { help: 'Open the request that wrote the line, or go back to the log', hint: 'its request' },
  back: { help: 'Back to the log' },
  edit: { help: 'Open the place that the line names in $EDITOR' },
  copy: { help: 'Copy the line' },
});

/** Selects whatever line is the last one. */
const follow: ListState = { ...emptyList, index: Number.POSITIVE_INFINITY, offset: Number.POSITIVE_INFINITY };

/** The output of the server, which it follows until the user goes up. One line can be opened, and is wrapped there. */
export function LogsPane({ columns, rows, dev, opened, onOpened, isFocused, onRequest }: LogsPaneProps) {
  const { logs, requests } = dev.store;
  const { copy, edit } = useScreen();
  const held = useHeld('held log', logs.lines(), logs.total);
  const found = useRows<LogLine>(held.shown, 'log', follow);
  const list = {
    ...found,
    onState: (next: ListState): void => {
      const isAtEnd = next.index >= found.seen.length - 1;
      if (isAtEnd) held.release();
      else if (!held.isHeld) held.hold();
      found.onState(isAtEnd ? follow : next);
    },
  };
  const request = useMemo(() => opened && findLineRequest(opened, requests), [opened, requests]);
  useKeys<'go' | 'back' | 'toggle' | 'clear' | 'edit' | 'copy'>({
    title: opened === undefined ? 'Log' : 'Line',
    bindings: opened === undefined ? listBindings : openBindings,
    isActive: isFocused,
    onAction: (action) => {
      const line = opened ?? found.selected;
      if (action === 'back') onOpened(undefined);
      else if (action === 'toggle' && !held.isHeld) held.hold();
      else if (action === 'toggle' || action === 'clear') {
        held.release();
        found.onState(follow);
        if (action === 'clear') dev.store.clearLogs();
      } else if (action === 'go' && request !== undefined) onRequest(request);
      else if (action === 'go') onOpened(opened === undefined ? line : undefined);
      else if (action === 'copy' && line) copy(stripControl(line.text), 'the line');
      else if (action === 'edit') edit(line && findErrorPlace(logs.stackOf(line), dev.root));
    },
  });
  const toLines = useCallback((room: number) => (opened ? toLogDetails(opened, room) : []), [opened]);
  if (opened !== undefined)
    return <OpenedText id={`line ${opened.id}`} title="Line" {...{ toLines, columns, rows, isFocused }} />;
  const note = held.note ?? [{ text: toStateText(logs), token: 'muted' }];
  return (
    <Box flexDirection="column" height={rows}>
      <LineView line={fitLine(note, columns)} />
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

function toStateText({ total, dropped }: LogBuffer): string {
  if (total === 0) return '  Nothing has been written yet.';
  return `  follows new lines${dropped === 0 ? '' : `, ${dropped} older lines dropped`}`;
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
