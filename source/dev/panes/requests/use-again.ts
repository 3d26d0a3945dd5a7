import { useKept } from '../../../kit/use-kept.ts';
import { useScreen } from '../../../screens/use-screen.ts';
import type { DevStore, RequestEntry } from '../../dev-store.ts';
import { replayRequest } from './replay-request.ts';

export interface Again {
  readonly send: (request: RequestEntry, serverUrl: string) => void;
  /** The request that this one repeats; undefined where it is none that was sent from here. */
  readonly findBefore: (request: RequestEntry) => RequestEntry | undefined;
}

export interface AgainOptions {
  readonly store: DevStore;
  /** Opens the request that was sent, once the server has recorded it. */
  readonly onAnswered: (request: RequestEntry) => void;
}

/** Sends requests again, and knows which one each of them repeats. */
export function useAgain({ store, onAnswered }: AgainOptions): Again {
  const { notify } = useScreen();
  const [repeated, setRepeated] = useKept<{ readonly key: string; readonly before: RequestEntry } | undefined>(
    'sent again',
    undefined,
  );
  const send = async (before: RequestEntry, serverUrl: string): Promise<void> => {
    const { text, requestId } = await replayRequest(before, serverUrl);
    notify(text);
    const found = requestId === undefined ? undefined : await waitForRecord(store, requestId);
    if (found === undefined) return;
    setRepeated({ key: found.key, before });
    onAnswered(found);
  };
  return {
    send: (before, serverUrl) => void send(before, serverUrl),
    findBefore: ({ key }) => (repeated?.key === key ? repeated.before : undefined),
  };
}

/** A server that has answered tells of it within this time, milliseconds. */
const RECORDED_WITHIN_MS = 3_000;

function waitForRecord(store: DevStore, requestId: string): Promise<RequestEntry | undefined> {
  return new Promise((resolve) => {
    const look = (): void => {
      const found = store.requests.findLast((request) => request.requestId === requestId);
      if (found !== undefined) end(found);
    };
    const stop = store.watch(look);
    const timer = setTimeout(() => end(undefined), RECORDED_WITHIN_MS);
    function end(found: RequestEntry | undefined): void {
      stop();
      clearTimeout(timer);
      resolve(found);
    }
    look();
  });
}
