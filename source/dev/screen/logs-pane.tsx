import { useCallback, useMemo } from 'react';
import { emptyList, type ListState } from '../../kit/list-state.ts';
import { useRows } from '../../kit/use-rows.ts';
import { findErrorPlace } from '../../manifest/find-source-place.ts';
import { useServices } from '../../screens/use-screen.ts';
import { stripControl } from '../../terminal/strip-control.ts';
import type { RequestEntry } from './dev-store.ts';
import { type LogBuffer, type LogLine, toLogDetails, toLogText } from './log-lines.ts';
import { NotedRows, OpenedText, type PaneProps, useHeld } from './pane.tsx';

type LogsPaneProps = PaneProps<LogLine> & { readonly onRequest: (request: RequestEntry) => void };

/** Selects whatever line is the last one. */
const follow: ListState = {
  ...emptyList,
  index: Number.POSITIVE_INFINITY,
  offset: Number.POSITIVE_INFINITY,
};

/** The output of the server, which it follows until the user goes up. One line can be opened, and is wrapped there. */
export function LogsPane({
  columns,
  rows,
  dev,
  opened,
  onOpened,
  isFocused,
  onRequest,
}: LogsPaneProps) {
  const { logs, requests } = dev.store;
  const { copy, edit } = useServices();
  const held = useHeld('held log', logs.lines(), logs.total);
  const found = useRows<LogLine>(held.shown, 'log', follow);
  const onState = (next: ListState): void => {
    const isAtEnd = next.index >= found.seen.length - 1;
    if (isAtEnd || held.note === undefined) held.hold(!isAtEnd);
    found.onState(isAtEnd ? follow : next);
  };
  const line = opened ?? found.selected;
  const goOn = (): void => {
    held.hold(false);
    found.onState(follow);
  };
  const actions = {
    go: { help: 'Open the line', run: () => onOpened(line) },
    toggle: {
      help: 'Pause the log, or follow it',
      hint: 'pause',
      run: () => (held.note === undefined ? held.hold(true) : goOn()),
    },
    clear: {
      help: 'Clear the log',
      run: () => {
        goOn();
        dev.store.clearLogs();
      },
    },
    edit: {
      help: 'Open the place that the line names in $EDITOR',
      run: () => edit(line && findErrorPlace(toLogText(line), dev.root)),
    },
    copy: {
      help: 'Copy the line',
      hint: undefined,
      run: () => line && copy(stripControl(toLogText(line)), 'the line'),
    },
  };
  const request = useMemo(() => opened && findLineRequest(opened, requests), [opened, requests]);
  const toLines = useCallback(
    (room: number) => (opened ? toLogDetails(opened, room) : []),
    [opened],
  );
  const place = { columns, rows, isFocused };
  const go = request && {
    help: 'Open the request that wrote it',
    hint: 'its request',
    run: () => onRequest(request),
  };
  return (
    <NotedRows
      {...place}
      opened={
        opened && (
          <OpenedText
            {...place}
            id={`line ${opened.id}`}
            toLines={toLines}
            go={go}
            onBack={() => onOpened(undefined)}
          />
        )
      }
      notes={[held.note ?? [{ text: toStateText(logs), token: 'muted' }]]}
      list={{ ...found, onState }}
      actions={actions}
      empty=""
      noMatch="No line matches."
      placeholder="words of a line, or its level: error"
    />
  );
}

function toStateText({ total, dropped }: LogBuffer): string {
  if (total === 0) return '  Nothing has been written yet.';
  return `  follows new lines${dropped === 0 ? '' : `, ${dropped} older lines dropped`}`;
}

/** The newest request whose id a line of the log names, or that recorded such a line. */
function findLineRequest(
  { text, stream }: LogLine,
  requests: readonly RequestEntry[],
): RequestEntry | undefined {
  return requests.findLast(
    ({ requestId, details }) =>
      (requestId !== undefined && text.includes(requestId)) ||
      details?.logs.some((line) => line.text === text && line.stream === stream),
  );
}
