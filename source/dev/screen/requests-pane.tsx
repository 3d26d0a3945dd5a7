import { Box } from 'ink';
import { useCallback, useEffect, useMemo } from 'react';
import { type ActionWords, toBindings } from '../../kit/actions.ts';
import { fitLine } from '../../kit/line.ts';
import { LineView } from '../../kit/line-view.tsx';
import type { Row } from '../../kit/row.ts';
import { RowsView } from '../../kit/rows-view.tsx';
import { type Column, type TableRows, toTableRows } from '../../kit/table.ts';
import { toDuration, toSize } from '../../kit/text.ts';
import { toMethodToken, toStatusText, toStatusToken } from '../../kit/theme.ts';
import { useKept, useLatest } from '../../kit/use-kept.ts';
import { useKeys } from '../../kit/use-keys.ts';
import { useRows } from '../../kit/use-rows.ts';
import type { Size } from '../../kit/use-ui.ts';
import { findErrorPlace } from '../../manifest/find-source-place.ts';
import { findSource } from '../../manifest/listed.ts';
import { toRepeatedHeaders, toRequestCurl } from '../../record/capability-curl.ts';
import { MASK } from '../../record/preview.ts';
import { toShownUrl } from '../../record/replace-url-secrets.ts';
import type { RequestRecord } from '../../record/request-record.ts';
import { toClock } from '../../screens/shell-status.ts';
import { useScreen } from '../../screens/use-screen.ts';
import type { DevStore, RequestEntry } from './dev-store.ts';
import { OpenedText, type PaneProps } from './opened-text.tsx';
import { replayRequest } from './replay-request.ts';
import { compareRequests, type ErrorFrames, findErrorFrame, toRequestLines } from './request-lines.ts';
import { useHeld } from './use-held.ts';

const words: ActionWords = {
  again: { help: 'Send it again, and show what differs' },
  copy: { help: 'Copy its address', hint: undefined },
  call: { help: 'Open it in call, with its input, headers and server' },
  edit: { help: 'Open the line that threw, or the source of its capability, in $EDITOR' },
  toggle: { help: 'Pause the list, or resume it', hint: 'pause' },
};
const listBindings = toBindings(['go', 'again', 'curl', 'copy', 'call', 'edit', 'toggle'], words);
const openBindings = toBindings(['back', 'go', 'again', 'curl', 'copy', 'call', 'edit'], {
  ...words,
  back: { help: 'Back to the requests' },
  go: { help: 'Back to the requests', hint: undefined },
});

/** The requests, newest first, and one of them opened. */
export function RequestsPane({ columns, rows, dev, opened, onOpened, isFocused }: PaneProps<RequestEntry>) {
  const { store } = dev;
  const held = useHeld('held', store.requests, store.requestTotal);
  const { rows: found, toTitles } = useMemo(() => toRequestTable(held.shown), [held.shown]);
  const list = useRows<RequestRow>(found, 'requests');
  const again = useAgain(store, onOpened);
  const selected = opened ?? list.selected?.request;
  useRequestKeys({ dev, again, selected, opened, isFocused, onOpened, onHold: held.toggle });
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

interface RequestKeys extends Pick<PaneProps<RequestEntry>, 'dev' | 'opened' | 'onOpened' | 'isFocused'> {
  readonly again: ReturnType<typeof useAgain>;
  readonly selected: RequestEntry | undefined;
  readonly onHold: () => void;
}

function useRequestKeys({ dev, again, selected, opened, isFocused, onOpened, onHold }: RequestKeys): void {
  const { go, copy, edit, notify, project } = useScreen();
  useKeys<'go' | 'back' | 'again' | 'curl' | 'copy' | 'call' | 'edit' | 'toggle'>({
    title: 'Request',
    bindings: opened !== undefined ? openBindings : listBindings,
    isActive: isFocused,
    onAction: (action) => {
      const [serverUrl] = dev.store.state.urls;
      if (action === 'back' || (action === 'go' && opened !== undefined)) onOpened(undefined);
      else if (action === 'toggle') onHold();
      else if (selected === undefined) return;
      else if (action === 'go') onOpened(selected);
      else if (action === 'edit') {
        const source = findSource(project.manifest, selected.capability);
        edit(findErrorPlace(selected.details?.error?.stack, dev.root) ?? source);
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
      else if (action === 'copy') copy(new URL(selected.url, serverUrl).href, selected.url);
      else if (action === 'curl') copy(toRequestCurl(selected, serverUrl), 'the curl command');
      else again.send(selected, serverUrl);
    },
  });
}

/** A request that was sent again, and whether what the server recorded of it was opened. */
interface Sent {
  readonly requestId: string;
  readonly before: RequestEntry;
  readonly isOpened: boolean;
}

/** Sends requests again, and opens what the server has recorded of them. */
function useAgain(store: DevStore, onAnswered: (request: RequestEntry) => void) {
  const { notify } = useScreen();
  const [sent, setSent] = useKept<Sent | undefined>('sent again', undefined);
  useEffect(() => {
    const found = sent && store.requests.findLast(({ requestId }) => requestId === sent.requestId);
    if (found === undefined || sent?.isOpened !== false) return;
    setSent({ ...sent, isOpened: true });
    onAnswered(found);
  });
  return {
    send: (before: RequestEntry, serverUrl: string): void =>
      void replayRequest(before, serverUrl).then(({ text, requestId }) => {
        notify(text);
        if (requestId !== undefined) setSent({ requestId, before, isOpened: false });
      }),
    /** The request that this one repeats; undefined where it is none that was sent from here. */
    findBefore: ({ requestId }: RequestEntry) =>
      sent !== undefined && sent.requestId === requestId ? sent.before : undefined,
  };
}

/** The headers of a request to call again, secrets included, by lower-case names; those of one name are joined. */
function toReplayHeaders(request: Pick<RequestRecord, 'details'>): Readonly<Record<string, string>> {
  // The call writes a body of its own, and reads its answer in its own way.
  const headers = toRepeatedHeaders(request).filter(([name]) => !/^(content-.*|accept)$/i.test(name));
  return Object.fromEntries(new Headers(headers.map(([name, value]): [string, string] => [name, value])));
}

/** The input of a request as JSON, to be called with again. A secret is left out: it is for the user to fill in. */
function toReplayInput({ details }: Pick<RequestRecord, 'details'>): string {
  return JSON.stringify(details?.input ?? {}, (_, value: unknown) => (value === MASK ? undefined : value));
}

interface OpenedRequestProps extends Size {
  readonly isFocused: boolean;
  readonly request: RequestEntry;
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

interface RequestRow extends Row {
  readonly request: RequestEntry;
}

/** The requests, the newest first. */
export function toRequestTable(requests: readonly RequestEntry[]): TableRows<RequestRow> {
  return toTableRows<RequestEntry, RequestRow>(requests.toReversed(), {
    columns: tableColumns,
    toRow: (request, toLine) => ({
      id: request.key,
      request,
      line: toLine(),
      search: `${request.method} ${toShownUrl(request)} ${request.status} ${request.capability ?? ''}`,
    }),
  });
}

const tableColumns: readonly Column<RequestEntry>[] = [
  { title: 'Time', get: ({ at }) => toClock(at), token: 'muted', from: 50 },
  { title: 'Code', get: ({ status }) => toStatusText(status), token: ({ status }) => toStatusToken(status) },
  { title: 'Method', get: ({ method }) => method, token: ({ method }) => toMethodToken(method) },
  { title: 'Path', get: toShownUrl, most: 80, least: 14 },
  { title: 'Capability', get: toCapability, token: 'muted', most: 48, least: 10, from: 84 },
  { title: 'Took', get: ({ durationMs }) => toDuration(durationMs), isRight: true },
  {
    title: 'Size',
    get: ({ bytes }) => (bytes === undefined ? '' : toSize(bytes)),
    token: 'muted',
    isRight: true,
    from: 64,
  },
  { title: 'Request id', get: ({ requestId = '' }) => requestId, token: 'muted', least: 8, from: 108 },
];

function toCapability({ method, capability = '' }: RequestEntry): string {
  return method === 'JOB' ? '' : capability;
}
