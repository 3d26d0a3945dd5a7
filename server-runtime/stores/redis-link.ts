import { Redis } from 'ioredis';

/**
 * Refuses commands while there is no connection: a command that is sent later might take effect after its caller has
 * stopped waiting.
 */
const settings = {
  lazyConnect: true,
  enableOfflineQueue: false,
  autoResendUnfulfilledCommands: false,
  maxRetriesPerRequest: 0,
  connectTimeout: 1000,
  // A Redis that hangs gets no more commands, and its open ones are dropped: the client connects again.
  socketTimeout: 5000,
  retryStrategy: (attempt: number) => Math.min(attempt * 50, 1000),
};

export interface RedisLink {
  /** Gives the client; rejects within a second without a connection. */
  readonly connect: () => Promise<Redis>;
  readonly close: () => void;
}

export function openRedisLink(url: string, onError: (error: Error) => void = () => {}): RedisLink {
  let client: Redis | undefined;
  let connecting: Promise<unknown> | undefined;
  let lastError: Error | undefined;
  const noteError = (error: Error): void => {
    lastError = error;
    onError(error);
  };
  return {
    connect: async () => {
      client ??= new Redis(url, settings).on('error', noteError);
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
