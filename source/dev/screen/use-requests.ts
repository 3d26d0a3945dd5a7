import { useEffect } from 'react';
import { toCurlText, toVariable } from '../../../server-runtime/openapi/curl.ts';
import { looksSecret } from '../../../server-runtime/schema/received.ts';
import { type ActionWords, toBindings } from '../../kit/actions.ts';
import { useKept } from '../../kit/use-kept.ts';
import { useKeys } from '../../kit/use-keys.ts';
import { findErrorPlace } from '../../manifest/find-source-place.ts';
import { findSource } from '../../manifest/listed.ts';
import { toRepeatedHeaders } from '../../record/capability-curl.ts';
import { MASK } from '../../record/preview.ts';
import { type RoutedRequest, replacePairSecrets, replaceUrlSecrets } from '../../record/replace-url-secrets.ts';
import type { RequestRecord } from '../../record/request-record.ts';
import { useScreen } from '../../screens/use-screen.ts';
import type { DevStore, RequestEntry } from './dev-store.ts';
import type { OpenDev } from './use-dev.ts';

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

interface RequestKeys {
  readonly dev: OpenDev;
  readonly again: ReturnType<typeof useAgain>;
  readonly selected: RequestEntry | undefined;
  readonly isOpened: boolean;
  readonly isFocused: boolean;
  readonly onOpened: (request: RequestEntry | undefined) => void;
  readonly onHold: () => void;
}

/** The keys of the requests, and of the one that is opened. */
export function useRequestKeys({ dev, again, selected, isOpened, isFocused, onOpened, onHold }: RequestKeys): void {
  const { go, copy: copyText, edit: editSource, notify, project } = useScreen();
  useKeys<'go' | 'back' | 'again' | 'curl' | 'copy' | 'call' | 'edit' | 'toggle'>({
    title: 'Request',
    bindings: isOpened ? openBindings : listBindings,
    isActive: isFocused,
    onAction: (action) => {
      const [serverUrl] = dev.store.state.urls;
      if (action === 'back' || (action === 'go' && isOpened)) onOpened(undefined);
      else if (action === 'toggle') onHold();
      else if (selected === undefined) return;
      else if (action === 'go') onOpened(selected);
      else if (action === 'edit') {
        const source = findSource(project.manifest, selected.capability);
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

/** The command that sends a request again, with variables of the shell for its secrets. */
export function toRequestCurl(
  request: Pick<RoutedRequest, 'method' | 'url' | 'route' | 'details'>,
  serverUrl: string,
): string {
  const { method, details } = request;
  return toCurlText({
    method,
    url: serverUrl + replaceUrlSecrets(request, toVariable),
    headers: toRepeatedHeaders(request).filter(([name, value]) => name !== 'accept' || value !== '*/*'),
    options: details?.body === undefined ? [] : [['--data-binary', replaceBodySecrets(details.body)]],
  });
}

/** JSON is written anew where it holds a secret; everything else but a form stays as it is. */
function replaceBodySecrets(body: string): string {
  const value = parse(body);
  if (value === undefined) return /^[^\s=&]+=/.test(body) ? replacePairSecrets(body, toVariable) : body;
  let hasSecret = false;
  const written = JSON.stringify(value, (name, field: unknown) => {
    if (!looksSecret(name) || field === null) return field;
    hasSecret = true;
    return toVariable(name);
  });
  return hasSecret ? written : body;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** A request that was sent again, and whether what the server recorded of it was opened. */
interface Sent {
  readonly requestId: string;
  readonly before: RequestEntry;
  readonly isOpened: boolean;
}

/** Sends requests again, and opens what the server has recorded of them. */
export function useAgain(store: DevStore, onAnswered: (request: RequestEntry) => void) {
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

interface Replay {
  /** A sentence that tells the status and the time, or why there is none. */
  readonly text: string;
  /** The id under which the server has recorded it; undefined where it was not sent, or the answer tells none. */
  readonly requestId?: string | undefined;
}

/** An answer that does not end is given up after so long, milliseconds. */
const READ_MS = 5_000;

/** Sends a recorded request again, with its headers and body. */
async function replayRequest(request: RequestRecord, serverUrl: string): Promise<Replay> {
  const { method, url, details } = request;
  if (details === undefined) return { text: 'Its headers and body were not kept' };
  const hadBody = details.headers.some(
    ([name, value]) => /^(content-length|transfer-encoding)$/i.test(name) && value !== '0',
  );
  if (hadBody && details.body === undefined) return { text: 'Its body was not kept: it is not short text' };
  const startedAt = performance.now();
  const reading = new AbortController();
  try {
    const response = await fetch(serverUrl + url, {
      method,
      headers: toRepeatedHeaders(request) as [string, string][],
      redirect: 'manual',
      signal: reading.signal,
      ...(details.body !== undefined && { body: details.body }),
    });
    const timer = setTimeout(() => reading.abort(), READ_MS);
    await response.arrayBuffer().catch(() => undefined);
    clearTimeout(timer);
    const text = `Sent again: ${response.status} in ${Math.round(performance.now() - startedAt)} ms`;
    return { text, requestId: response.headers.get('x-request-id') ?? undefined };
  } catch (error) {
    return { text: `It could not be sent again: ${error instanceof Error ? error.message : String(error)}` };
  }
}
