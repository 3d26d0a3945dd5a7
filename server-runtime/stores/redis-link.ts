import { Redis } from 'ioredis';

export interface RedisLink {
  /** The client; rejects within a second without a connection. */
  readonly connect: () => Promise<Redis>;
  readonly close: () => void;
}

/** A command that nobody can be sent to is refused: one that is sent later may take what its caller has given up. */
export function openRedisLink(url: string, onError: (error: Error) => void = () => {}): RedisLink {
  let client: Redis | undefined;
  let connecting: Promise<unknown> | undefined;
  let lastError: Error | undefined;
  return {
    connect: async () => {
      client ??= createClient(url).on('error', (error: Error) => onError((lastError = error)));
      if (client.status === 'wait') connecting = client.connect();
      if (client.status !== 'ready') await connecting?.catch(() => {});
      if (client?.status === 'ready') return client;
      throw lastError ?? new Error('There is no connection to Redis.');
    },
    close: () => {
      client?.disconnect();
      client = undefined;
    },
  };
}

function createClient(url: string): Redis {
  return new Redis(url, {
    lazyConnect: true,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    connectTimeout: 1000,
    // A Redis that hangs is asked no more, and what it was asked is not kept: it is reached anew.
    socketTimeout: 5000,
    retryStrategy: (attempt) => Math.min(attempt * 50, 1000),
  });
}
