import { useCallback, useEffect, useMemo } from 'react';
import { toBindings } from '../../kit/actions.ts';
import type { Row } from '../../kit/row.ts';
import { type Column, type TableRows, toTableRows } from '../../kit/table.ts';
import { toMethodToken, toStatusText, toStatusToken } from '../../kit/theme.ts';
import { useKeys } from '../../kit/use-keys.ts';
import { useLatest, useMemory } from '../../kit/use-memory.ts';
import { useRows } from '../../kit/use-rows.ts';
import { findErrorPlace } from '../../manifest/find-source-place.ts';
import { findSource } from '../../manifest/listed.ts';
import { toRepeatedHeaders, toRequestCurl } from '../../record/curl.ts';
import { MASK } from '../../record/preview.ts';
import { toShownUrl } from '../../record/replace-url-secrets.ts';
import type { RequestRecord } from '../../record/request-record.ts';
import { useNavigation, useProject, useServices } from '../../screens/use-screen.ts';
import { toSize } from '../../values/count.ts';
import { toClock, toDuration } from '../../values/duration.ts';
import { toCalledText } from '../session/called-text.ts';
import type { DevStore, RequestEntry } from './dev-store.ts';
import { NotedRows, OpenedText, type OpenedTextProps, type PaneProps, useHeld } from './pane.tsx';
import { compareRequests, findErrorFrame, findThrown, toRequestLines } from './request-lines.ts';

const bindings = toBindings(['go', 'again', 'curl', 'copy', 'call', 'edit', 'toggle'], {
  again: { help: 'Send it again, and show what differs' },
  copy: { help: 'Copy its address', hint: undefined },
  call: { help: 'Open it in call, with its input, headers and server' },
  edit: { help: 'Open the line that threw, or the source of its capability, in $EDITOR' },
  toggle: { help: 'Pause the list, or resume it', hint: 'pause' },
});

/** The requests, newest first, and one of them opened. */
export function RequestsPane({
  columns,
  rows,
  dev,
  opened,
  onOpened,
  isFocused,
}: PaneProps<RequestEntry>) {
  const { store, root } = dev;
  const { copy, edit, notify } = useServices();
  const { go } = useNavigation();
  const { project } = useProject();
  const held = useHeld('held', store.requests, store.requestTotal);
  const { rows: found, toTitles } = useMemo(() => toRequestTable(held.shown), [held.shown]);
  const list = useRows<RequestRow>(found, 'requests');
  const sendAgain = useAgain(store, onOpened);
  const server = store.state.urls[0]?.replace(/\/+$/, '');
  /** Does what needs the address of the request, or says why there is none. */
  const withServer = ({ url, status }: RequestEntry, use: (server: string) => void): void => {
    if (server === undefined) notify('The server is not running');
    else if (status === 101) notify('This opened a WebSocket, which no request repeats');
    else if (!url.startsWith('/'))
      notify('This call did not come over HTTP; press c to call it again');
    else use(server);
  };
  const openInCall = (sent: RequestEntry): void => {
    if (sent.capability === undefined) return notify('No capability answered this request');
    const replay = { input: toReplayInput(sent), headers: toReplayHeaders(sent) };
    go({ screen: 'call', key: sent.capability, ...replay, server });
  };
  const current = useCurrent(store, opened);
  const request = current ?? list.selected?.request;
  useKeys({
    title: 'Request',
    bindings,
    isActive: isFocused,
    onAction: (action) => {
      const on: Readonly<
        Record<Exclude<typeof action, 'toggle'>, (request: RequestEntry) => void>
      > = {
        go: onOpened,
        edit: (sent) => {
          const thrownAt = findErrorPlace(findThrown(sent)?.stack, root);
          edit(thrownAt ?? findSource(project.manifest, sent.capability));
        },
        call: openInCall,
        copy: (sent) => withServer(sent, (server) => copy(server + sent.url, sent.url)),
        curl: (sent) =>
          withServer(sent, (server) => copy(toRequestCurl(sent, server), 'the curl command')),
        again: (sent) => withServer(sent, (server) => sendAgain(sent, server)),
      };
      if (action === 'toggle') held.hold(held.note === undefined);
      else if (request !== undefined) on[action](request);
    },
  });
  const place = { columns, rows, isFocused };
  if (current !== undefined)
    return (
      <OpenedRequest {...place} request={current} root={root} onBack={() => onOpened(undefined)} />
    );
  return (
    <NotedRows
      {...place}
      notes={held.note ? [held.note] : []}
      list={list}
      toHeader={toTitles}
      title="Requests"
      empty={
        server === undefined
          ? 'No request has come yet.'
          : `No request has come yet: curl ${server}`
      }
      noMatch="No request fits the filter."
      placeholder="words of a path, method, status or capability"
    />
  );
}

/** The opened request, with the end of its connection once that is known. */
function useCurrent(store: DevStore, opened: RequestEntry | undefined): RequestEntry | undefined {
  const closed = opened && store.requests.find(({ key }) => key === opened.key)?.closed;
  return useMemo(() => opened && { ...opened, closed: closed ?? opened.closed }, [opened, closed]);
}

type Sent = { readonly requestId: string; readonly before: RequestEntry };

/** Sends requests again, and opens what the server has recorded of them. */
function useAgain(store: DevStore, onAnswered: (request: RequestEntry) => void) {
  const { notify } = useServices();
  const [sent, setSent] = useMemory<Sent | undefined>('sent again', undefined);
  useEffect(() => {
    const found = sent && store.requests.findLast(({ requestId }) => requestId === sent.requestId);
    if (found === undefined) return;
    setSent(undefined);
    onAnswered({ ...found, before: sent?.before });
  });
  return (before: RequestEntry, serverUrl: string): void =>
    void replayRequest(before, serverUrl).then(({ text, requestId }) => {
      notify(text);
      if (requestId !== undefined) setSent({ requestId, before });
    });
}

/** The time after which `dev` no longer waits for the end of an answer, milliseconds. */
const READ_MS = 10_000;

/** Sends a recorded request again, with its headers and body. Gives a sentence about the answer, and its id. */
async function replayRequest(request: RequestRecord, serverUrl: string) {
  const { method, url, details } = request;
  if (details === undefined) return { text: 'Its headers and body were not kept' };
  const hadBody = details.headers.some(
    ([name, value]) => /^(content-length|transfer-encoding)$/i.test(name) && value !== '0',
  );
  if (hadBody && details.body === undefined)
    return { text: 'Its body was not kept: it is not short text' };
  try {
    const response = await fetch(serverUrl + url, {
      method,
      headers: toRepeatedHeaders(request) as [string, string][],
      redirect: 'manual',
      signal: AbortSignal.timeout(READ_MS),
      ...(details.body !== undefined && { body: details.body }),
    });
    await response.arrayBuffer().catch(() => undefined);
    // The time is that of the server, which the opened request shows.
    const text = `Sent again: ${response.status}`;
    return { text, requestId: response.headers.get('x-request-id') ?? undefined };
  } catch (error) {
    return {
      text: `It could not be sent again: ${error instanceof Error ? error.message : String(error)}`,
    };
  }
}

/** The headers of a request to call again, secrets included, by lower-case names; those of one name are joined. */
function toReplayHeaders(
  request: Pick<RequestRecord, 'details'>,
): Readonly<Record<string, string>> {
  // The call writes a body of its own, and reads its answer in its own way.
  const headers = toRepeatedHeaders(request).filter(
    ([name]) => !/^(content-.*|accept)$/i.test(name),
  );
  return Object.fromEntries(
    new Headers(headers.map(([name, value]): [string, string] => [name, value])),
  );
}

/** The input of a request as JSON, to be called with again. A secret is left out: it is for the user to fill in. */
function toReplayInput({ details }: Pick<RequestRecord, 'details'>): string {
  return JSON.stringify(details?.input ?? {}, (_, value: unknown) =>
    value === MASK ? undefined : value,
  );
}

interface OpenedRequestProps extends Omit<OpenedTextProps, 'id' | 'title' | 'toLines'> {
  readonly request: RequestEntry;
  readonly root: string;
}

/** One request, whole; where it repeats another one, with the lines of both where they differ. */
function OpenedRequest({ request, root, ...place }: OpenedRequestProps) {
  const frame = useLatest(
    useCallback(() => findErrorFrame(findThrown(request)?.stack, root), [request, root]),
    undefined,
  );
  const toLines = useCallback(
    (columns: number) =>
      (request.before ? compareRequests : toRequestLines)(request, { frame, columns }),
    [request, frame],
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
      search: `${request.operation?.kind ?? request.method} ${toTitle(request)} ${request.status} ${toCalledText(request)}`,
    }),
  });
}

const tableColumns: readonly Column<RequestEntry>[] = [
  { title: 'Time', get: ({ at }) => toClock(at), token: 'muted', from: 50 },
  {
    title: 'Code',
    get: ({ status }) => toStatusText(status),
    token: (request) => (hasFailed(request) ? 'warning' : toStatusToken(request.status)),
  },
  {
    title: 'Method',
    get: ({ method, operation }) => operation?.kind ?? method,
    token: ({ method, operation }) => toMethodToken(operation?.kind ?? method),
  },
  { title: 'Path', get: toTitle, most: 80, least: 14 },
  {
    title: 'Capability',
    get: (request) => (request.method === 'JOB' ? '' : toCalledText(request)),
    token: (request) => (hasFailed(request) ? 'warning' : 'muted'),
    most: 48,
    least: 10,
    from: 84,
  },
  { title: 'Took', get: toTookText, isRight: true },
  {
    title: 'Size',
    get: ({ bytes }) => (bytes === undefined ? '' : toSize(bytes)),
    token: 'muted',
    isRight: true,
    from: 64,
  },
  {
    title: 'Request id',
    get: ({ requestId = '' }) => requestId,
    token: 'muted',
    least: 8,
    from: 108,
  },
];

/** An operation succeeds, with the status 200, also where fields of it have failed. */
function hasFailed({ fields = [] }: RequestEntry): boolean {
  return fields.some(({ failed }) => failed > 0);
}

function toTitle(request: RequestEntry): string {
  return request.operation?.title ?? toShownUrl(request);
}

function toTookText({ status, durationMs, closed }: RequestEntry): string {
  if (closed !== undefined) return toDuration(closed.openMs);
  return status === 101 ? 'open' : toDuration(durationMs);
}
