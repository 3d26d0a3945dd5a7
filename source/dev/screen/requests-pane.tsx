import { Box } from 'ink';
import { useCallback, useMemo } from 'react';
import { fitLine } from '../../kit/line.ts';
import { LineView } from '../../kit/line-view.tsx';
import { RowsView } from '../../kit/rows-view.tsx';
import { useLatest } from '../../kit/use-kept.ts';
import { useRows } from '../../kit/use-rows.ts';
import type { Size } from '../../kit/use-ui.ts';
import { compareRequests, type ErrorFrames } from './compare-requests.ts';
import type { RequestEntry } from './dev-store.ts';
import { OpenedText, type PaneProps } from './opened-text.tsx';
import { findErrorFrame, toRequestLines } from './request-lines.ts';
import { type RequestRow, toRequestTable } from './request-rows.ts';
import { useHeld } from './use-held.ts';
import { useAgain, useRequestKeys } from './use-requests.ts';

/** The requests, newest first, and one of them opened. */
export function RequestsPane({ columns, rows, dev, opened, onOpened, isFocused }: PaneProps<RequestEntry>) {
  const { store } = dev;
  const held = useHeld('held', store.requests, store.requestTotal);
  const { rows: found, toTitles } = useMemo(() => toRequestTable(held.shown), [held.shown]);
  const list = useRows<RequestRow>(found, 'requests');
  const again = useAgain(store, onOpened);
  useRequestKeys({
    dev,
    again,
    selected: opened ?? list.selected?.request,
    isOpened: opened !== undefined,
    isFocused,
    onOpened,
    onHold: held.isHeld ? held.release : held.hold,
  });
  if (opened !== undefined) {
    const place = { columns, rows, isFocused, root: dev.root, before: again.findBefore(opened) };
    return <OpenedRequest key={opened.key} {...place} request={opened} />;
  }
  const { note } = held;
  return (
    <Box flexDirection="column" height={rows}>
      {note && <LineView line={fitLine(note, columns)} />}
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

interface OpenedRequestProps extends Size {
  readonly isFocused: boolean;
  readonly request: RequestEntry;
  /** The request that it repeats. */
  readonly before: RequestEntry | undefined;
  readonly root: string;
}

const noFrames: ErrorFrames = {};

/** One request, whole; where it repeats another one, with the lines of both where they differ. */
function OpenedRequest({ request, before, root, ...place }: OpenedRequestProps) {
  const load = useCallback(async (): Promise<ErrorFrames> => {
    const find = (entry: RequestEntry | undefined) => findErrorFrame(entry?.details?.error?.stack, root);
    return { before: await find(before), after: await find(request) };
  }, [request, before, root]);
  const frames = useLatest(load, noFrames);
  const toLines = useCallback(
    (columns: number) =>
      before === undefined
        ? toRequestLines(request, { frame: frames.after, columns })
        : compareRequests({ before, after: request, frames, columns }),
    [request, before, frames],
  );
  return <OpenedText {...place} id={request.key} title="Request" toLines={toLines} />;
}
