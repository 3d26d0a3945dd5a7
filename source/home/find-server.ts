import { connect } from 'node:net';
import { readServerState, type ServerState } from '../files/server-state.ts';
import { ownProcessId } from '../system/own-process-id.ts';

/** Which server there is for a project. */
export type FoundServer =
  /** It was not looked for yet. */
  | { readonly kind: 'unknown' }
  | { readonly kind: 'none' }
  /** `capix dev` of the project, in this window or in another one. */
  | { readonly kind: 'dev'; readonly state: ServerState; readonly isHere: boolean; readonly answers: boolean }
  /** Something else has the port that the project's server would have. */
  | { readonly kind: 'other'; readonly url: string };

/** The time that a server may take to accept a connection, milliseconds. */
const ACCEPT_MS = 1_000;

/** `root`: absolute path of the project. `port`: where a server is looked for that is not that of `capix dev`. */
export async function findServer(root: string, port: number): Promise<FoundServer> {
  const state = await readServerState(root);
  if (state !== undefined) {
    const [url] = state.urls;
    return {
      kind: 'dev',
      state,
      isHere: state.pid === ownProcessId,
      answers: url !== undefined && (await accepts(url)),
    };
  }
  const url = `http://localhost:${port}`;
  return (await accepts(url)) ? { kind: 'other', url } : { kind: 'none' };
}

/** Sends nothing: a request would be one more in the server's log. */
function accepts(url: string): Promise<boolean> {
  const { hostname, port, protocol } = new URL(url);
  // The brackets of an address of IPv6 are the URL's.
  const host = hostname.replace(/^\[|\]$/g, '');
  return new Promise((resolve) => {
    const socket = connect({ port: Number(port || (protocol === 'https:' ? 443 : 80)), host, timeout: ACCEPT_MS });
    const end = (isThere: boolean): void => {
      socket.destroy();
      resolve(isThere);
    };
    socket.once('connect', () => end(true));
    socket.once('timeout', () => end(false));
    socket.once('error', () => end(false));
  });
}
