import { looksSecret } from '../../../../server-runtime/schema/looks-secret.ts';
import { type ActionWords, toBindings } from '../../../kit/actions.ts';
import { useKeys } from '../../../kit/use-keys.ts';
import { findSource } from '../../../manifest/listed.ts';
import { findErrorPlace } from '../../../manifest/places/find-source-place.ts';
import { toCurlText, toVariable } from '../../../record/curl-text.ts';
import { MASK } from '../../../record/preview.ts';
import { toRepeatedHeaders } from '../../../record/repeated-headers.ts';
import { type RoutedRequest, replacePairSecrets, replaceUrlSecrets } from '../../../record/replace-url-secrets.ts';
import type { RequestRecord } from '../../../record/request-record.ts';
import { useScreen } from '../../../screens/use-screen.ts';
import type { RequestEntry } from '../../dev-store.ts';
import type { OpenDev } from '../../use-dev.ts';
import type { Again } from './use-again.ts';

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
  readonly again: Again;
  readonly selected: RequestEntry | undefined;
  readonly isOpened: boolean;
  readonly isFocused: boolean;
  /** Opens a request, or closes it. */
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
