import { Box } from 'ink';
import { useCallback, useMemo } from 'react';
import { useKept } from '../../../kit/kept/use-kept.ts';
import { fitLine } from '../../../kit/line/line.ts';
import { LineView } from '../../../kit/line/line-view.tsx';
import { FilterLine } from '../../../kit/list/filter-line.tsx';
import { isFilterShown, noFilter } from '../../../kit/list/filter-state.ts';
import { findSelected, type ListState } from '../../../kit/list/list-state.ts';
import { ListView } from '../../../kit/list/list-view.tsx';
import { toRowColumns } from '../../../kit/list/to-scroll-marks.ts';
import { useUi } from '../../../kit/theme/use-ui.ts';
import type { RequestEntry } from '../../dev-store.ts';
import type { OpenDev } from '../../use-dev.ts';
import { type RequestQuery, toListedRequests } from './listed-requests.ts';
import { OpenedRequest } from './opened-request.tsx';
import { type RequestColumns, toRequestColumns, toRequestLine, toRequestTitle } from './request-columns.ts';
import { useAgain } from './use-again.ts';
import { useRequestKeys } from './use-request-keys.ts';

export interface RequestsPaneProps {
  readonly columns: number;
  readonly rows: number;
  readonly dev: OpenDev;
  /** Only those of this capability. */
  readonly routeKey: string | undefined;
  readonly onRouteKey: (key: string | undefined) => void;
  /** The request that is shown in place of the list. */
  readonly opened: RequestEntry | undefined;
  readonly onOpened: (request: RequestEntry | undefined) => void;
  /** Whether it has the keys. */
  readonly isFocused: boolean;
}

/** The requests, newest first, and one of them opened. */
export function RequestsPane(props: RequestsPaneProps) {
  const { columns, rows, dev, routeKey, onRouteKey, opened, onOpened, isFocused } = props;
  const { store } = dev;
  const { symbols } = useUi();
  const [list, setList] = useKept<ListState | undefined>('requests', undefined);
  const [held, setHeld] = useKept<HeldRequests | undefined>('held', undefined);
  const [filter, setFilter] = useKept('requestFilter', noFilter);
  const all = held?.requests ?? store.requests;
  const query = filter.field.text;
  const listed = useMemo(() => toListedRequests(all, { query, routeKey }), [all, query, routeKey]);
  const layout = useRequestLayout(listed, columns);
  const toLine = useCallback((request: RequestEntry) => toRequestLine(request, layout), [layout]);
  const again = useAgain({ store, onAnswered: onOpened });
  useRequestKeys({
    dev,
    again,
    selected: opened ?? findSelected(listed, list, ({ key }) => key),
    isOpened: opened !== undefined,
    isFocused,
    onOpened,
    onHold: () => setHeld(held === undefined ? { requests: store.requests, total: store.requestTotal } : undefined),
    onRoute: (key) => onRouteKey(routeKey === undefined ? key : undefined),
  });
  if (opened !== undefined) {
    const place = { columns, rows, isFocused, root: dev.root, before: again.findBefore(opened) };
    return <OpenedRequest key={opened.key} {...place} request={opened} />;
  }
  const notes = toNotes(routeKey, held && store.requestTotal - held.total);
  const otherRows = 1 + (isFilterShown(filter) ? 1 : 0) + (notes.length > 0 ? 1 : 0);
  return (
    <Box flexDirection="column" height={rows}>
      {notes.length > 0 && (
        <LineView line={fitLine([{ text: `  ${notes.join(' · ')}`, token: 'muted' }], columns, symbols.ellipsis)} />
      )}
      <LineView line={fitLine([{ text: '  ' }, ...toRequestTitle(layout)], columns, symbols.ellipsis)} />
      <ListView
        items={listed}
        getKey={({ key }) => key}
        toLine={toLine}
        query={query}
        state={list}
        onState={setList}
        columns={columns}
        rows={rows - otherRows}
        title="Requests"
        isFocused={isFocused}
        empty={toEmptyText(dev, { query, routeKey })}
      />
      <FilterLine
        state={filter}
        onState={setFilter}
        columns={columns}
        count={`${listed.length} of ${all.length}`}
        placeholder="path, method, status or capability"
        isActive={isFocused}
      />
    </Box>
  );
}

/** `newer`: the number of requests since the list is held; undefined where it is not. */
function toNotes(routeKey: string | undefined, newer: number | undefined): readonly string[] {
  return [
    ...(routeKey === undefined ? [] : [`only ${routeKey}, f shows all`]),
    ...(newer === undefined ? [] : [`held, ${newer} newer, Space goes on`]),
  ];
}

/** The same columns as long as they are as wide. */
function useRequestLayout(listed: readonly RequestEntry[], columns: number): RequestColumns {
  const { clock, url, key, size, id } = useMemo(
    () => toRequestColumns(listed, toRowColumns(columns)),
    [listed, columns],
  );
  return useMemo(() => ({ clock, url, key, size, id }), [clock, url, key, size, id]);
}

interface HeldRequests {
  readonly requests: readonly RequestEntry[];
  /** The number that had come in all. */
  readonly total: number;
}

function toEmptyText({ store }: OpenDev, { query, routeKey }: RequestQuery): string {
  if (query !== '') return 'No request fits the filter.';
  if (routeKey !== undefined) return `No request of ${routeKey} has come yet.`;
  return store.state.readyAt !== undefined && store.routes.length === 0
    ? 'This server opens its port by itself: its requests are not seen here.'
    : 'No request has come yet.';
}
