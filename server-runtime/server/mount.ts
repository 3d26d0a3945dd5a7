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

/**
 * Gives requests of a server to `take` in place of its own listeners: each of these answers every request, and a
 * request is answered once. The server stays its owner's: it is neither made to listen nor closed.
 */
export function mount(server: HttpServer, { takes, take }: Mounting): Mounted {
  findDevLink()?.follow?.(server);
  const underWay = trackRequests();
  let isMounted = true;
  const unpatch = interceptEvents(server, (pass, event, details) => {
    const [request, response] = details as [IncomingMessage, ServerResponse];
    if (!isMounted || event !== 'request' || !takes(request)) return pass(event, details);
    underWay.add(response);
    take(request, response);
    return true;
  });

  return {
    origin: findOrigin(server),
    close: async (graceMs) => {
      await underWay.end(graceMs);
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

/** Requests to a server that is its owner's: it is not closed, but what was begun there is ended. */
interface RequestsUnderWay {
  readonly add: (response: ServerResponse) => void;
  /** Waits until each has its whole answer, at most `graceMs` milliseconds; then breaks off what is left. */
  readonly end: (graceMs: number) => Promise<void>;
}

function trackRequests(): RequestsUnderWay {
  const underWay = new Set<ServerResponse>();
  const waiting: (() => void)[] = [];
  return {
    add: (response) => {
      underWay.add(response);
      response.once('close', () => {
        underWay.delete(response);
        if (underWay.size === 0) for (const resolve of waiting.splice(0)) resolve();
      });
    },
    end: async (graceMs) => {
      if (underWay.size === 0) return;
      const idle = new Promise<void>((resolve) => waiting.push(resolve));
      const timer = setTimeout(() => {
        for (const response of underWay) response.destroy();
      }, graceMs);
      await idle;
      clearTimeout(timer);
    },
  };
}
