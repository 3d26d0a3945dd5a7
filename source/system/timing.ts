import type { Server } from 'node:http';

/** Resolves with the first of some events, or after `limitMs` milliseconds. */
export async function waitWithin(
  limitMs: number,
  ...events: readonly PromiseLike<unknown>[]
): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, limitMs);
  });
  try {
    await Promise.race([limit, ...events]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * The time for which an idle connection lives, milliseconds, with what newer Node adds to it: a client learns this
 * time, and a request on its way would be lost before it is over. `endlessMs` where there is no limit.
 */
export function toIdleMs(server: object, endlessMs: number): number {
  const { keepAliveTimeout = 0, keepAliveTimeoutBuffer = 0 } = server as Partial<Server> & {
    readonly keepAliveTimeoutBuffer?: number;
  };
  return keepAliveTimeout === 0 ? endlessMs : keepAliveTimeout + keepAliveTimeoutBuffer;
}
