import { Redis } from 'ioredis';
import { readThrown } from '../errors/failure.ts';

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

/** What a link tells of its connections, of which it has one after the other. */
export interface LinkEvents {
  readonly onError?: ((error: Error) => void) | undefined;
  readonly onReady?: (() => void) | undefined;
}

/** To an address, or to where a client is connected. */
export function openRedisLink(
  to: string | Redis,
  { onError = () => {}, onReady = () => {} }: LinkEvents = {},
): RedisLink {
  let client: Redis | undefined;
  let connecting: Promise<unknown> | undefined;
  let lastError: Error | undefined;
  const noteError = (error: Error): void => {
    lastError = error;
    onError(error);
  };
  const create = (): Redis => {
    const made = typeof to === 'string' ? new Redis(to, settings) : to.duplicate(settings);
    return made.on('error', noteError).on('ready', onReady);
  };
  return {
    connect: async () => {
      client ??= create();
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

/** What a command has thrown. ioredis names an option of its own where the connection was lost meanwhile. */
export function toCommandError(thrown: unknown): unknown {
  if (readThrown(thrown).name !== 'MaxRetriesPerRequestError') return thrown;
  return new Error('The connection to Redis was lost.', { cause: thrown });
}
