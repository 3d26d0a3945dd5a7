import { useEffect, useMemo } from 'react';
import { toMadeCall } from '../../invoke/saved/plan-call.ts';
import type { KeyHandlers } from '../../kit/actions.ts';
import type { Row } from '../../kit/row.ts';
import { type Column, type TableRows, toTableRows } from '../../kit/table.ts';
import { signs, toMethodToken, toStatusText, toStatusToken } from '../../kit/theme.ts';
import { useRows } from '../../kit/use-rows.ts';
import { useMemory } from '../../kit/use-ui.ts';
import { findErrorPlace } from '../../manifest/find-source-place.ts';
import { findSource } from '../../manifest/manifest.ts';
import type { Marks } from '../../record/call-marks.ts';
import { toRepeatedHeaders, toRequestCurl } from '../../record/curl.ts';
import { MASK } from '../../record/preview.ts';
import type { RequestRecord } from '../../record/request-record.ts';
import { useNavigation, useProject, useServices } from '../../screens/use-screen.ts';
import { toSize } from '../../values/count.ts';
import { toClock, toDuration } from '../../values/duration.ts';
import { toCalledText } from '../session/request-words.ts';
import type { DevStore, RequestEntry } from './dev-store.ts';
import { OpenedRequest } from './opened-request.tsx';
import { NotedRows, type PaneProps, useHeld } from './pane.tsx';
import { findThrown, toTitle } from './request-lines.ts';
import { useKeep } from './use-keep.ts';

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
  const { copy, edit } = useServices();
  const { go } = useNavigation();
  const { project } = useProject();
  const held = useHeld('held', store.requests, store.requestTotal);
  const { rows: found, toTitles } = useMemo(() => toRequestTable(held.shown), [held.shown]);
  const list = useRows<RequestRow>(found, 'requests');
  const sendAgain = useAgain(store, onOpened);
  const server = store.state.urls[0]?.replace(/\/+$/, '');
  const current = useCurrent(store, opened);
  const request = current ?? list.selected?.request;
  const noCapability = 'No capability answered this request';
  const off = toRepeatProblem(request, server);
  /** Does what needs the address of the request. */
  const onServer = (use: (request: RequestEntry, server: string) => void) => ({
    off,
    run: () => request && server !== undefined && use(request, server),
  });
  const keepKeys = useKeep(dev, request);
  const actions: KeyHandlers = {
    go: () => request && onOpened(request),
    again: { help: 'Send it again, and show what differs', ...onServer(sendAgain) },
    curl: onServer((sent, to) => copy(toRequestCurl(sent, to), 'the curl command')),
    copy: {
      help: 'Copy its address',
      hint: undefined,
      ...onServer(({ url }, to) => copy(to + url, url)),
    },
    call: {
      help: 'Open it in call, with its input, headers and server',
      off: request !== undefined && request.capability === undefined ? noCapability : undefined,
      run: () => {
        if (request?.capability === undefined) return;
        go({ screen: 'call', key: request.capability, ...toReplay(request), server });
      },
    },
    edit: {
      help: 'Open the line that threw, or the source of its capability, in $EDITOR',
      run: () => {
        const thrownAt = findErrorPlace(request && findThrown(request)?.stack, root);
        edit(thrownAt ?? findSource(project.manifest, request?.capability));
      },
    },
    ...keepKeys,
    toggle: {
      help: 'Pause the list, or resume it',
      hint: 'pause',
      run: () => held.hold(held.note === undefined),
    },
  };
  const place = { columns, rows, isFocused };
  return (
    <NotedRows
      {...place}
      opened={
        current && (
          <OpenedRequest
            key={current.key}
            {...place}
            request={current}
            root={root}
            onBack={() => onOpened(undefined)}
          />
        )
      }
      notes={held.note ? [held.note] : []}
      list={list}
      toHeader={toTitles}
      actions={actions}
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

/** Why a request cannot be sent to the server again. */
function toRepeatProblem(
  request: RequestEntry | undefined,
  server: string | undefined,
): string | undefined {
  if (server === undefined) return 'The server is not running';
  if (request?.status === 101) return 'This opened a WebSocket, which no request repeats';
  if (request?.url.startsWith('/') === false)
    return 'This call did not come over HTTP; press c to call it again';
  return undefined;
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

/** What a request is called again with. A secret of its input is left out: it is for the user to fill in. */
function toReplay(request: RequestRecord) {
  const { input, headers } = toMadeCall(request);
  const toFilled = (_: string, value: unknown): unknown => (value === MASK ? undefined : value);
  return { input: JSON.stringify(input, toFilled), headers };
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
      search: toSearchText(request),
    }),
  });
}

function toSearchText(request: RequestEntry): string {
  const kind = request.operation?.kind ?? request.method;
  return `${kind} ${toTitle(request)} ${request.status} ${toCalledText(request)}`;
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
  {
    title: 'Waits',
    get: (request) => toWaitsText(request.details?.marks),
    token: ({ details }) => (hasRepeated(details?.marks) ? 'warning' : 'muted'),
    isRight: true,
    from: 92,
  },
  {
    title: 'Took',
    get: toTookText,
    token: ({ details }) => (hasRepeated(details?.marks) ? 'warning' : undefined),
    isRight: true,
  },
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

function toTookText({ status, durationMs, closed, details }: RequestEntry): string {
  if (closed !== undefined) return toDuration(closed.openMs);
  const sign = hasRepeated(details?.marks) ? `${signs.warning} ` : '';
  return status === 101 ? 'open' : sign + toDuration(durationMs);
}

/** Whether it did the same again and again. */
function hasRepeated(marks: Marks | undefined): boolean {
  return (marks?.repeated.length ?? 0) > 0;
}

/** How often it waited for what is outside of the process. */
function toWaitsText({ counts }: Partial<Marks> = {}): string {
  const { db = 0, http = 0, redis = 0 } = counts ?? {};
  return db + http + redis === 0 ? '' : String(db + http + redis);
}
