import { channel } from 'node:diagnostics_channel';
import { once } from 'node:events';
import type { Server as HttpServer, ServerResponse } from 'node:http';
import { Server } from 'node:net';
import { toIdleMs, waitWithin } from '../system/timing.ts';

/** The time after which a draining process ends what is open, milliseconds: as long as idle connections live. */
export const MAX_DRAIN_MS = 75_000;
/** The time that idle connections get in a process that ends, milliseconds: a request may be on its way. */
const QUIET_MS = 50;
/** A client's clock may be late. */
const MARGIN_MS = 1000;

/** The servers of a process, which are closed without losing a request. */
export function createServedPorts() {
  const servers = new Set<Server>();
  let closing: Promise<unknown> | undefined;
  const closeAll = (): Promise<unknown> => {
    closing ??= closeServers(servers);
    return closing;
  };
  return {
    follow: (server: Server): void => void servers.add(server),
    opened: async (): Promise<void> => {
      await Promise.all(
        [...servers]
          .filter(({ listening }) => !listening)
          .map((server) => once(server, 'listening')),
      );
    },
    /**
     * Takes no more connections. Those that are open end with their next answer, or when they have been idle for the
     * time in the message.
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

function closeServers(servers: ReadonlySet<Server>): Promise<unknown> {
  channel('http.server.request.start').subscribe((message) => {
    (message as { readonly response: ServerResponse }).response.shouldKeepAlive = false;
  });
  // The method of node:http would end idle connections at once.
  return Promise.all(
    [...servers].map(
      (server) => new Promise((resolve) => Server.prototype.close.call(server, resolve)),
    ),
  );
}
