import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'undici';
import { cleanUp } from './clean-up.ts';

/** A request as the server of `savedServer` answers it. */
interface Answer {
  readonly id: string;
  /** The version of the code that answered. */
  readonly version: number;
  /** The requests in its process that wait for newer code to answer. */
  readonly waiting: number;
}

/** What the clients saw, by the ids of their requests. */
export interface Seen {
  readonly sent: readonly string[];
  /** Answered with 200. */
  readonly answered: readonly string[];
  /** Answered with 503. */
  readonly unavailable: readonly string[];
  /** No connection could be opened for them. */
  readonly refused: readonly string[];
  /** No answer came, or another one. */
  readonly lost: readonly string[];
  /** Answered by older code than a request that had been answered before they were sent. */
  readonly stale: readonly string[];
  /** Connections that were closed between two requests, and their clients had not been told. */
  readonly closed: readonly string[];
}

export interface KeptConnections {
  readonly seen: Seen;
  /** Resolves when this version has answered each client, and those that wait for newer code wait in it. */
  readonly haveSeen: (version: number) => Promise<void>;
  /** Resolves when each client has had one more answer of this kind. */
  readonly haveMore: (kind: 'answered' | 'unavailable') => Promise<void>;
  /** Resolves when what is under way is answered; those that wait need newer code for that. */
  readonly stop: () => Promise<void>;
}

export interface KeptConnectionsOptions {
  /** Between an answer and the next request of its client, milliseconds. */
  readonly paceMs: number;
  /** The clients, of eight, whose requests are answered only when newer code has answered. */
  readonly waitingClients: number;
}

const CLIENTS = 8;

const open = new Set<Client>();
cleanUp.afterEachTest.add(async () => {
  const left = [...open];
  open.clear();
  await Promise.all(left.map((client) => client.destroy()));
});

/** Eight clients, of GET and of POST in turn, each of which keeps one connection and never sends a request twice. */
export function openKeptConnections(
  url: string,
  { paceMs, waitingClients }: KeptConnectionsOptions,
): KeptConnections {
  const seen = {
    sent: [] as string[],
    answered: [] as string[],
    unavailable: [] as string[],
    refused: [] as string[],
    lost: [] as string[],
    stale: [] as string[],
    closed: [] as string[],
  };
  let newest = 0;
  let isOver = false;
  const watchers = new Set<() => void>();

  const openClient = (at: number) => {
    const client = new Client(url, { pipelining: 1 });
    open.add(client);
    const isWaiting = at < waitingClients;
    const state = { isWaiting, version: 0, waiting: 0, answered: 0, unavailable: 0 };
    let underWay: string | undefined;
    client.on('disconnect', (_origin, _targets, error) => {
      if (underWay === undefined && error.code === 'UND_ERR_SOCKET')
        seen.closed.push(`client ${at}: ${error.message}`);
    });

    const send = async (id: string): Promise<void> => {
      const before = newest;
      const input = { id, ...(isWaiting && { until: 'newer' }) };
      const response = await client.request(
        at % 2 === 0
          ? { method: 'GET', path: `/texts?${new URLSearchParams(input)}` }
          : {
              method: 'POST',
              path: '/texts',
              headers: { 'content-type': 'application/json' },
              body: JSON.stringify(input),
            },
      );
      const body = await response.body.text();
      if (response.statusCode === 503) {
        state.unavailable += 1;
        seen.unavailable.push(id);
        return;
      }
      const { data } = JSON.parse(body) as { readonly data?: Answer };
      if (data?.id !== id) return void seen.lost.push(`${id}: ${response.statusCode} ${body}`);
      state.answered += 1;
      seen.answered.push(id);
      if (data.version < before) seen.stale.push(`${id}: ${data.version} after ${before}`);
      newest = Math.max(newest, data.version);
      Object.assign(state, { version: data.version, waiting: data.waiting });
    };
    const sendAgainAndAgain = async (): Promise<void> => {
      for (let count = 1; !isOver; count++) {
        const id = `${at}-${count}`;
        seen.sent.push(id);
        underWay = id;
        await send(id).catch((error: NodeJS.ErrnoException) => {
          const list =
            error.syscall === 'connect' || error.code?.startsWith('UND_ERR_CONNECT')
              ? seen.refused
              : seen.lost;
          list.push(`${id}: ${error.message}`);
        });
        underWay = undefined;
        for (const look of watchers) look();
        await pause(paceMs);
      }
      open.delete(client);
      await client.close();
    };
    return { state, over: sendAgainAndAgain() };
  };

  const clients = Array.from({ length: CLIENTS }, (_, at) => openClient(at));
  type State = (typeof clients)[number]['state'];
  /** Resolves when this is so for each client that does not wait. */
  const until = (isSo: (state: State) => boolean): Promise<void> =>
    new Promise((resolve) => {
      const look = (): void => {
        if (!clients.every(({ state }) => state.isWaiting || isSo(state))) return;
        watchers.delete(look);
        resolve();
      };
      watchers.add(look);
      look();
    });
  return {
    seen,
    haveSeen: (version) =>
      until((state) => state.version >= version && state.waiting === waitingClients),
    haveMore: (kind) => {
      const before = new Map(clients.map(({ state }) => [state, state[kind]]));
      return until((state) => state[kind] > (before.get(state) ?? 0));
    },
    stop: async () => {
      isOver = true;
      await Promise.all(clients.map(({ over }) => over));
    },
  };
}
