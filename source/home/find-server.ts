import { realpath } from 'node:fs/promises';
import { connect } from 'node:net';
import { readServerState, type ServerState } from '../files/server-state.ts';
import { findPortOwner, findWorkingFolder, type PortOwner } from '../system/find-port-owner.ts';
import { isAlive, ownProcessId } from '../system/own-process-id.ts';

/** Which server there is for a project. */
export type FoundServer =
  /** It was not looked for yet. */
  | { readonly kind: 'unknown' }
  | { readonly kind: 'none' }
  /** `capix dev` of the project, in this window or in another one. */
  | { readonly kind: 'dev'; readonly state: ServerState; readonly isHere: boolean; readonly answers: boolean }
  /** Something else has the port that the project's server would have. */
  | {
      readonly kind: 'other';
      readonly url: string;
      readonly owner: PortOwner | undefined;
      /** Whether it was started in the project: its built server, for example. */
      readonly isOfProject: boolean;
    };

export interface FindServerOptions {
  /** Absolute path of the project. */
  readonly root: string;
  /** The ports at which a server is looked for that is not that of `capix dev`. */
  readonly port: number;
  /** The last find: who has a port is not asked again while it is open. */
  readonly known: FoundServer;
}

/** The time that a server may take to accept a connection, milliseconds. */
const ACCEPT_MS = 1_000;

export async function findServer({ root, port, known }: FindServerOptions): Promise<FoundServer> {
  const state = await readServerState(root);
  if (state !== undefined) {
    const [url] = state.urls;
    const answers = url !== undefined && (await accepts(Number(new URL(url).port)));
    return { kind: 'dev', state, isHere: state.pid === ownProcessId, answers };
  }
  if (!(await accepts(port))) return { kind: 'none' };
  const url = `http://localhost:${port}`;
  if (known.kind === 'other' && known.url === url && known.owner && isAlive(known.owner.pid)) return known;
  const owner = await findPortOwner(port);
  const folder = owner && (await findWorkingFolder(owner.pid));
  return { kind: 'other', url, owner, isOfProject: folder === (await realpath(root)) };
}

/** Sends nothing: a request would be one more in the server's log. */
function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: 'localhost', timeout: ACCEPT_MS });
    const end = (isThere: boolean): void => {
      socket.destroy();
      resolve(isThere);
    };
    socket.once('connect', () => end(true));
    socket.once('timeout', () => end(false));
    socket.once('error', () => end(false));
  });
}
