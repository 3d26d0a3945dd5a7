import type { KeyBinding } from '../../../kit/keys/key-binding.ts';
import { useKeys } from '../../../kit/keys/use-keys.ts';
import { findErrorPlace } from '../../../manifest/places/find-error-place.ts';
import { useScreen } from '../../../screens/use-screen.ts';
import type { RequestEntry } from '../../dev-store.ts';
import type { OpenDev } from '../../use-dev.ts';
import { toReplayHeaders } from './replay-headers.ts';
import { toReplayInput } from './replay-input.ts';
import { toRequestCurl } from './request-curl.ts';
import type { Again } from './use-again.ts';

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

/** The keys of the requests, and of the one that is opened. */
export function useRequestKeys({
  dev,
  again,
  selected,
  isOpened,
  isFocused,
  onOpened,
  onHold,
  onRoute,
}: RequestKeys): void {
  const { go, copy: copyText, edit: editSource, notify, project } = useScreen();
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
      else if (action === 'open') onOpened(selected);
      else if (action === 'edit') {
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
