import { Box } from 'ink';
import { useMemo } from 'react';
import { FilterLine } from '../ui/filter-line.tsx';
import { isFilterShown, noFilter } from '../ui/filter-state.ts';
import type { KeyBinding } from '../ui/key-table.ts';
import { findSelected, type ListState } from '../ui/list-state.ts';
import { ListView } from '../ui/list-view.tsx';
import { ScrollView } from '../ui/scroll-view.tsx';
import { useKeys } from '../ui/use-keys.ts';
import { useKept, useScreen } from '../ui/use-screen.ts';
import { toRequestLine } from './dev-lines.ts';
import type { RequestEntry } from './dev-store.ts';
import { findErrorFrame } from './find-error-frame.ts';
import { toListedRequests } from './listed-requests.ts';
import { replayRequest } from './replay-request.ts';
import { toRequestLines } from './request-lines.ts';
import { toCurl } from './to-curl.ts';
import type { OpenDev } from './use-dev.ts';

export interface RequestsPaneProps {
  readonly columns: number;
  readonly rows: number;
  readonly dev: OpenDev;
  /** Only those of this capability. */
  readonly routeKey: string | undefined;
  readonly onRouteKey: (key: string | undefined) => void;
}

type RequestsAction = 'open' | 'close' | 'again' | 'copy' | 'call' | 'route' | 'pause';

const again: KeyBinding<RequestsAction> = { action: 'again', keys: ['a'], help: 'Send it again', hint: 'again' };
const copy: KeyBinding<RequestsAction> = {
  action: 'copy',
  keys: ['y'],
  help: 'Copy it as a curl command',
  hint: 'curl',
};
const call: KeyBinding<RequestsAction> = { action: 'call', keys: ['c'], help: 'Open its input in call', hint: 'call' };
const listBindings: readonly KeyBinding<RequestsAction>[] = [
  { action: 'open', keys: ['enter'], help: 'Open the request', hint: 'open' },
  again,
  copy,
  call,
  { action: 'route', keys: ['f'], help: 'Only requests of its route, or all again', hint: 'its route' },
  { action: 'pause', keys: ['space'], help: 'Hold the list still, or let it go on', hint: 'hold' },
];
const openBindings: readonly KeyBinding<RequestsAction>[] = [
  { action: 'close', keys: ['esc', 'enter'], help: 'Back to the requests', hint: 'back' },
  again,
  copy,
  call,
];

/** The requests, newest first, and one of them opened. */
export function RequestsPane({ columns, rows, dev, routeKey, onRouteKey }: RequestsPaneProps) {
  const { store } = dev;
  const { go, copy: copyText, notify } = useScreen();
  const [list, setList] = useKept<ListState | undefined>('requests', undefined);
  const [opened, setOpened] = useKept<RequestEntry | undefined>('opened', undefined);
  const [held, setHeld] = useKept<readonly RequestEntry[] | undefined>('held', undefined);
  const [filter, setFilter] = useKept('requestFilter', noFilter);
  const all = held ?? store.requests;
  const query = filter.field.text;
  const listed = useMemo(() => toListedRequests(all, { query, routeKey }), [all, query, routeKey]);
  const selected = opened ?? findSelected(listed, list, ({ key }) => key);
  useKeys<RequestsAction>({
    title: 'Request',
    bindings: opened === undefined ? listBindings : openBindings,
    onAction: (action) => {
      const [url] = store.state.urls;
      if (action === 'close') setOpened(undefined);
      else if (action === 'pause') setHeld(held === undefined ? store.requests : undefined);
      else if (action === 'route') onRouteKey(routeKey === undefined ? selected?.capability : undefined);
      else if (selected === undefined) return;
      else if (action === 'open') setOpened(selected);
      else if (action === 'call' && selected.capability === undefined) notify('No capability answered it');
      else if (action === 'call')
        go({ screen: 'call', key: selected.capability ?? '', input: JSON.stringify(selected.details?.input ?? {}) });
      else if (url === undefined) notify('The server does not run');
      else if (action === 'copy') copyText(toCurl(selected, url), 'the curl command');
      else void replayRequest(selected, url).then(notify);
    },
  });
  if (opened !== undefined) return <OpenedRequest request={opened} columns={columns} rows={rows} root={dev.root} />;
  const notes = [held && 'held', routeKey].filter((note) => note !== undefined);
  const footRows = isFilterShown(filter) ? 1 : 0;
  return (
    <Box flexDirection="column" height={rows}>
      <ListView
        items={listed}
        getKey={({ key }) => key}
        toLine={toRequestLine}
        state={list}
        onState={setList}
        columns={columns}
        rows={rows - footRows}
        title="Requests"
        empty={store.requestTotal === 0 ? 'No request has come yet.' : 'No request fits the filter.'}
      />
      <FilterLine
        state={filter}
        onState={setFilter}
        columns={columns}
        count={[`${listed.length} of ${all.length}`, ...notes].join(', ')}
        placeholder="path, method, status or capability"
      />
    </Box>
  );
}

interface OpenedRequestProps {
  readonly request: RequestEntry;
  readonly root: string;
  readonly columns: number;
  readonly rows: number;
}

function OpenedRequest({ request, root, columns, rows }: OpenedRequestProps) {
  const [offset, setOffset] = useKept('openedOffset', 0);
  const lines = useMemo(
    () => toRequestLines(request, { frame: findErrorFrame(request.details?.error?.stack, root) }),
    [request, root],
  );
  return (
    <ScrollView lines={lines} offset={offset} onOffset={setOffset} columns={columns} rows={rows} title="Request" />
  );
}
