import { Box } from 'ink';
import { useCallback, useMemo } from 'react';
import { useKept } from '../../../kit/kept/use-kept.ts';
import type { KeyBinding } from '../../../kit/keys/key-binding.ts';
import { useKeys } from '../../../kit/keys/use-keys.ts';
import { fitLine } from '../../../kit/line/line.ts';
import { LineView } from '../../../kit/line/line-view.tsx';
import { FilterLine } from '../../../kit/list/filter-line.tsx';
import { isFilterShown, noFilter } from '../../../kit/list/filter-state.ts';
import { findSelected, type ListState } from '../../../kit/list/list-state.ts';
import { ListView } from '../../../kit/list/list-view.tsx';
import { ScrollView } from '../../../kit/list/scroll-view.tsx';
import { SCROLL_COLUMNS, toRowColumns } from '../../../kit/list/to-scroll-marks.ts';
import { useUi } from '../../../kit/theme/use-ui.ts';
import { useScreen } from '../../../screens/use-screen.ts';
import type { RequestEntry } from '../../dev-store.ts';
import type { OpenDev } from '../../use-dev.ts';
import { findErrorPlace } from '../find-error-place.ts';
import { compareRequests } from './compare-requests.ts';
import { findErrorFrame } from './find-error-frame.ts';
import { type RequestQuery, toListedRequests } from './listed-requests.ts';
import { toReplayHeaders } from './replay-headers.ts';
import { toReplayInput } from './replay-input.ts';
import { type RequestColumns, toRequestColumns, toRequestLine, toRequestTitle } from './request-columns.ts';
import { toRequestCurl } from './request-curl.ts';
import { toRequestLines } from './request-lines.ts';
import { type Again, useAgain } from './use-again.ts';

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

type RequestsAction = 'open' | 'close' | 'edit' | 'again' | 'copy' | 'curl' | 'call' | 'route' | 'pause';

const again: KeyBinding<RequestsAction> = {
  action: 'again',
  keys: ['a'],
  help: 'Send it again, and show what differs',
  hint: 'again',
};
const copy: KeyBinding<RequestsAction> = { action: 'copy', keys: ['y'], help: 'Copy its address' };
const curl: KeyBinding<RequestsAction> = {
  action: 'curl',
  keys: ['u'],
  help: 'Copy it as a curl command',
  hint: 'curl',
};
const call: KeyBinding<RequestsAction> = {
  action: 'call',
  keys: ['c'],
  help: 'Open it in call, with its input, headers and server',
  hint: 'call',
};
const edit: KeyBinding<RequestsAction> = {
  action: 'edit',
  keys: ['e'],
  help: 'Open the line that threw, or the source of its capability, in $EDITOR',
  hint: 'edit',
};
const listBindings: readonly KeyBinding<RequestsAction>[] = [
  { action: 'open', keys: ['enter'], help: 'Open the request', hint: 'open' },
  again,
  curl,
  copy,
  call,
  edit,
  { action: 'route', keys: ['f'], help: 'Show only requests of this route, or all', hint: 'its route' },
  { action: 'pause', keys: ['space'], help: 'Pause the list, or resume it', hint: 'pause' },
];
const openBindings: readonly KeyBinding<RequestsAction>[] = [
  { action: 'close', keys: ['esc', 'enter'], help: 'Back to the requests', hint: 'back' },
  again,
  curl,
  copy,
  call,
  edit,
];

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
    const before = again.findBefore(opened);
    return <OpenedRequest {...{ columns, rows, isFocused, before }} request={opened} root={dev.root} />;
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

interface RequestKeys {
  readonly dev: OpenDev;
  readonly again: Again;
  readonly selected: RequestEntry | undefined;
  readonly isOpened: boolean;
  readonly isFocused: boolean;
  /** Opens a request, or closes it. */
  readonly onOpened: (request: RequestEntry | undefined) => void;
  readonly onHold: () => void;
  /** Keeps to the requests of a capability, or shows all again. */
  readonly onRoute: (key: string | undefined) => void;
}

function useRequestKeys({ dev, again, selected, isOpened, isFocused, onOpened, onHold, onRoute }: RequestKeys): void {
  const { go, copy: copyText, edit: editSource, notify, project } = useScreen();
  const [, setOffset] = useKept('openedOffset', 0);
  useKeys<RequestsAction>({
    title: 'Request',
    bindings: isOpened ? openBindings : listBindings,
    isActive: isFocused,
    onAction: (action) => {
      const [serverUrl] = dev.store.state.urls;
      if (action === 'close') onOpened(undefined);
      else if (action === 'pause') onHold();
      else if (action === 'route') onRoute(selected?.capability);
      else if (selected === undefined) return;
      else if (action === 'open') {
        setOffset(0);
        onOpened(selected);
      } else if (action === 'edit') {
        const source = project.manifest?.capabilities.find(({ key }) => key === selected.capability)?.source;
        editSource(findErrorPlace(selected.details?.error?.stack, dev.root) ?? source);
      } else if (action === 'call' && selected.capability === undefined) notify('No capability answered this request');
      else if (action === 'call')
        go({
          screen: 'call',
          key: selected.capability ?? '',
          input: toReplayInput(selected),
          headers: toReplayHeaders(selected),
          server: serverUrl?.replace(/\/+$/, ''),
        });
      else if (serverUrl === undefined) notify('The server is not running');
      else if (!selected.url.startsWith('/')) notify('This call did not come over HTTP; press c to call it again');
      else if (action === 'copy') copyText(new URL(selected.url, serverUrl).href, selected.url);
      else if (action === 'curl') copyText(toRequestCurl(selected, serverUrl), 'the curl command');
      else again.send(selected, serverUrl);
    },
  });
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

function OpenedRequest({ request, before, root, columns, rows, isFocused }: OpenedRequestProps) {
  const [offset, setOffset] = useKept('openedOffset', 0);
  const { symbols } = useUi();
  const room = columns - MARGIN - SCROLL_COLUMNS;
  const lines = useMemo(
    () =>
      before === undefined
        ? toRequestLines(request, { frame: findErrorFrame(request.details?.error?.stack, root), columns: room })
        : compareRequests({ before, after: request, root, columns: room, symbols }),
    [request, before, root, room, symbols],
  );
  const place = { offset, onOffset: setOffset, columns, rows, isFocused };
  return <ScrollView {...place} lines={lines} margin={MARGIN} title="Request" />;
}
