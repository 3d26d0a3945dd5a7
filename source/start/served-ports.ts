import { channel } from 'node:diagnostics_channel';
import { once } from 'node:events';
import type { Server as HttpServer, ServerResponse } from 'node:http';
import type { ServerHttp2Session } from 'node:http2';
import { Server } from 'node:net';
import { toIdleMs, waitWithin } from '../system/timing.ts';
import { MAX_DRAIN_MS } from './worker-protocol.ts';

/** The time that idle connections get in a process that ends, milliseconds: a request may be on its way. */
const QUIET_MS = 50;
/** A client's clock may be late. */
const MARGIN_MS = 1000;

/** The servers of a process, which are closed without losing a request. */
export function createServedPorts() {
  const servers = new Set<Server>();
  const sessions = new Set<ServerHttp2Session>();
  let closing: Promise<unknown> | undefined;
  const closeAll = (): Promise<unknown> => (closing ??= closeServers(servers, sessions));
  return {
    follow: (server: Server): void => {
      servers.add(server);
      server.on('session', (session: ServerHttp2Session) => {
        sessions.add(session);
        session.once('close', () => sessions.delete(session));
      });
    },
    /** Resolves when each of them listens. */
    opened: async (): Promise<void> => {
      await Promise.all([...servers].filter(({ listening }) => !listening).map((server) => once(server, 'listening')));
    },
    /**
     * Takes no more connections. Those that are open end with their next answer, or when their client could not reuse
     * them anyway: by HTTP's keep-alive, a client is told how long an idle connection lives, and a request that is on
     * its way would be lost if it ended before. Resolves when none is left.
     */
    drain: async (): Promise<void> => {
      const limitMs = Math.min(
        MAX_DRAIN_MS,
        Math.max(0, ...[...servers].map((server) => toIdleMs(server, MAX_DRAIN_MS))) + MARGIN_MS,
      );
      await waitWithin(limitMs, closeAll());
    },
    /** The same, but idle connections end at once. */
    close: async (): Promise<void> => {
      const sweep = setInterval(() => {
        for (const server of servers) (server as Partial<HttpServer>).closeIdleConnections?.();
      }, QUIET_MS);
      await waitWithin(MAX_DRAIN_MS, closeAll());
      clearInterval(sweep);
    },
  };
}

function closeServers(servers: ReadonlySet<Server>, sessions: ReadonlySet<ServerHttp2Session>): Promise<unknown> {
  channel('http.server.request.start').subscribe((message) => {
    (message as { readonly response: ServerResponse }).response.shouldKeepAlive = false;
  });
  for (const session of sessions) session.close();
  // The method of node:http would end idle connections at once.
  return Promise.all(
    [...servers].map((server) => new Promise((resolve) => Server.prototype.close.call(server, resolve))),
  );
}
