import type { DevLink, MetricsReader } from '../../server-runtime/server/dev-link.ts';
import type { WorkerNote } from './worker-protocol.ts';

/** The metrics that a process shares with the others. */
export interface SharedMetrics {
  readonly share: NonNullable<DevLink['shareMetrics']>;
  /** Gives those of this process; undefined where it shares none of that name. */
  readonly read: (name: string) => Promise<unknown>;
  /** The metrics of all processes have come. */
  readonly gathered: (id: number, metrics: readonly unknown[]) => void;
}

export function createSharedMetrics(send: (note: WorkerNote) => Promise<void>): SharedMetrics {
  const readers = new Map<string, MetricsReader>();
  const waiting = new Map<number, (metrics: readonly unknown[]) => void>();
  let lastId = 0;
  return {
    share: (name, read) => {
      readers.set(name, read);
      return () =>
        new Promise((resolve) => {
          const id = ++lastId;
          waiting.set(id, resolve);
          void send({ kind: 'gather', id, name });
        });
    },
    read: async (name) => readers.get(name)?.(),
    gathered: (id, metrics) => {
      waiting.get(id)?.(metrics);
      waiting.delete(id);
    },
  };
}
