import type { Server as HttpServer, IncomingMessage, ServerResponse } from 'node:http';
import { interceptEvents } from '../patches/intercept-events.ts';
import { findDevLink } from './dev-link.ts';

export type TakeRequest = (request: IncomingMessage, response: ServerResponse) => void;

/** The options of answering requests to a server that is its owner's. */
export interface Mounting {
  /** Whether a request is answered here. */
  readonly takes: (request: IncomingMessage) => boolean;
  /** Answers it. */
  readonly take: TakeRequest;
}

export interface Mounted {
  /** `http://localhost:3000`; undefined where the server does not listen at a port yet. */
  readonly origin: string | undefined;
  /** Waits at most `graceMs` milliseconds for the requests under way, and leaves the server as it was. */
  readonly close: (graceMs: number) => Promise<void>;
}

/** Gives requests of a server to `take` in place of its own listeners. The server stays its owner's. */
export function mount(server: HttpServer, { takes, take }: Mounting): Mounted {
  findDevLink()?.follow?.(server);
  const underWay = new Map<ServerResponse, Promise<void>>();
  let isMounted = true;
  const unpatch = interceptEvents(server, (pass, event, details) => {
    const [request, response] = details as [IncomingMessage, ServerResponse];
    if (!isMounted || event !== 'request' || !takes(request)) return pass(event, details);
    const closed = new Promise<void>((resolve) => response.once('close', resolve));
    underWay.set(response, closed);
    void closed.then(() => underWay.delete(response));
    take(request, response);
    return true;
  });
  return {
    origin: findOrigin(server),
    close: async (graceMs) => {
      const timer = setTimeout(() => {
        for (const response of underWay.keys()) response.destroy();
      }, graceMs);
      while (underWay.size > 0) await Promise.all(underWay.values());
      clearTimeout(timer);
      isMounted = false;
      unpatch();
    },
  };
}

function findOrigin(server: HttpServer): string | undefined {
  const address = server.address();
  const scheme = 'setSecureContext' in server ? 'https' : 'http';
  return address === null || typeof address === 'string' ? undefined : `${scheme}://localhost:${address.port}`;
}
