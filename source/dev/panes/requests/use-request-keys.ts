import { type ActionWords, toBindings } from '../../../kit/keys/actions.ts';
import { useKeys } from '../../../kit/keys/use-keys.ts';
import { findErrorPlace } from '../../../manifest/places/find-error-place.ts';
import { useScreen } from '../../../screens/use-screen.ts';
import type { RequestEntry } from '../../dev-store.ts';
import type { OpenDev } from '../../use-dev.ts';
import { toReplayHeaders } from './replay-headers.ts';
import { toReplayInput } from './replay-input.ts';
import { toRequestCurl } from './request-curl.ts';
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
