import type { ServerResponse } from 'node:http';

/** Requests to a server that is its owner's: it is not closed, but what was begun there is ended. */
export interface RequestsUnderWay {
  readonly add: (response: ServerResponse) => void;
  /** Waits until each has its whole answer, at most `graceMs` milliseconds; then breaks off what is left. */
  readonly end: (graceMs: number) => Promise<void>;
}

export function trackRequests(): RequestsUnderWay {
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
