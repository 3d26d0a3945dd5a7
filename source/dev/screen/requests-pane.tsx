import { Box } from 'ink';
import { useCallback, useMemo } from 'react';
import { fitLine } from '../../kit/line.ts';
import { LineView } from '../../kit/line-view.tsx';
import { SCROLL_COLUMNS } from '../../kit/list-state.ts';
import { RowsView, ScrollView } from '../../kit/rows-view.tsx';
import { useKept, useLatest } from '../../kit/use-kept.ts';
import { useRows } from '../../kit/use-rows.ts';
import { compareRequests, type ErrorFrames } from './compare-requests.ts';
import type { RequestEntry } from './dev-store.ts';
import { findErrorFrame, toRequestLines } from './request-lines.ts';
import { type RequestRow, toRequestTable } from './request-rows.ts';
import type { OpenDev } from './use-dev.ts';
import { useAgain, useRequestKeys } from './use-requests.ts';

export interface RequestsPaneProps {
  readonly columns: number;
  readonly rows: number;
  readonly dev: OpenDev;
  /** The request that is shown in place of the list. */
  readonly opened: RequestEntry | undefined;
  readonly onOpened: (request: RequestEntry | undefined) => void;
  /** Whether it has the keys. */
  readonly isFocused: boolean;
}

interface HeldRequests {
  readonly requests: readonly RequestEntry[];
  /** The number that had come in all. */
  readonly total: number;
}

/** The requests, newest first, and one of them opened. */
export function RequestsPane({ columns, rows, dev, opened, onOpened, isFocused }: RequestsPaneProps) {
  const { store } = dev;
  const [held, setHeld] = useKept<HeldRequests | undefined>('held', undefined);
  const all = held?.requests ?? store.requests;
  const { rows: found, toTitles } = useMemo(() => toRequestTable(all), [all]);
  const list = useRows<RequestRow>(found, 'requests');
  const again = useAgain({ store, onAnswered: onOpened });
  useRequestKeys({
    dev,
    again,
    selected: opened ?? list.selected?.request,
    isOpened: opened !== undefined,
    isFocused,
    onOpened,
    onHold: () => setHeld(held === undefined ? { requests: store.requests, total: store.requestTotal } : undefined),
  });
  if (opened !== undefined) {
    const place = { columns, rows, isFocused, root: dev.root, before: again.findBefore(opened) };
    return <OpenedRequest key={opened.key} {...place} request={opened} />;
  }
  const note = held && `  held, ${store.requestTotal - held.total} newer, Space goes on`;
  return (
    <Box flexDirection="column" height={rows}>
      {note && <LineView line={fitLine([{ text: note, token: 'muted' }], columns)} />}
      <RowsView
        list={list}
        columns={columns}
        rows={rows - (note ? 1 : 0)}
        toHeader={toTitles}
        title="Requests"
        isFocused={isFocused}
        empty={
          store.state.readyAt !== undefined && store.routes.length === 0
            ? 'This server opens its port by itself: its requests are not seen here.'
            : 'No request has come yet.'
        }
        noMatch="No request fits the filter."
        placeholder="words of a path, method, status or capability"
      />
    </Box>
  );
}

/** Columns before what a request says. */
const MARGIN = 1;

interface OpenedRequestProps {
  readonly isFocused: boolean;
  readonly request: RequestEntry;
  /** The request that it repeats. */
  readonly before: RequestEntry | undefined;
  readonly root: string;
  readonly columns: number;
  readonly rows: number;
}

/** One request, whole; where it repeats another one, the two beside each other. */
function OpenedRequest({ request, before, root, columns, rows, isFocused }: OpenedRequestProps) {
  const [offset, setOffset] = useKept(`offset of ${request.key}`, 0);
  const room = columns - MARGIN - SCROLL_COLUMNS;
  const load = useCallback(() => loadErrorFrames(request, { before, root }), [request, before, root]);
  const loaded = useLatest<LoadedFrames | undefined>(load, undefined);
  const frames = loaded?.request === request ? loaded.frames : noFrames;
  const lines = useMemo(
    () =>
      before === undefined
        ? toRequestLines(request, { frame: frames.after, columns: room })
        : compareRequests({ before, after: request, frames, columns: room }),
    [request, before, frames, room],
  );
  const place = { offset, onOffset: setOffset, columns, rows, isFocused };
  return <ScrollView {...place} lines={lines} margin={MARGIN} title="Request" />;
}

const noFrames: ErrorFrames = {};

/** The frames of a request; the screen may show another one by the time they are read. */
interface LoadedFrames {
  readonly request: RequestEntry;
  readonly frames: ErrorFrames;
}

async function loadErrorFrames(
  request: RequestEntry,
  { before, root }: Pick<OpenedRequestProps, 'before' | 'root'>,
): Promise<LoadedFrames> {
  const find = async (entry: RequestEntry | undefined) => findErrorFrame(entry?.details?.error?.stack, root);
  return { request, frames: { before: await find(before), after: await find(request) } };
}
