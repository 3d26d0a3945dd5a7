import { toStartLines } from '../../server-runtime/server/start-lines.ts';
import type { TransportStarted } from '../../server-runtime/server/transport.ts';
import type { WorkerEnd } from '../serve/worker.ts';
import { toExitText } from '../system/child-channel.ts';
import { toCount } from '../values/count.ts';
import { toDuration } from '../values/duration.ts';

export interface WorkerName {
  /** A number from 1; the process that replaces another has the same. */
  readonly worker: number;
  readonly pid: number;
}

export type StartEvent =
  /** The first process serves; `workers` are all that have started. */
  | {
      readonly kind: 'ready';
      readonly running: readonly TransportStarted[];
      readonly workers: readonly WorkerName[];
    }
  /** A process has ended, or was killed as `reason` says; another one starts after `restartMs` milliseconds. */
  | ({ readonly kind: 'worker-ended'; readonly restartMs: number } & WorkerName & WorkerEnd)
  /** Another process serves: one of the first, or one that replaces one that has ended. */
  | ({ readonly kind: 'worker-started' } & WorkerName)
  | { readonly kind: 'restarting' }
  | { readonly kind: 'restarted'; readonly workers: readonly WorkerName[] }
  /** A process of the new code has ended before it served, or was killed as `reason` says; those that serve stay. */
  | ({ readonly kind: 'restart-failed' } & WorkerName & WorkerEnd)
  | { readonly kind: 'stopping' };

/** An event as one JSON document: `{"event": "ready", "time": "2026-11-20T10:00:00.000Z", …}`. */
export function toStartJson({ kind, ...event }: StartEvent, time: Date): string {
  const { running, ...facts } = { running: undefined, ...event };
  const started = running && {
    urls: running.flatMap(({ url }) => url ?? []),
    networkUrls: running.flatMap(({ networkUrls }) => networkUrls ?? []),
    routes: running.flatMap(({ routes }) => routes),
  };
  return JSON.stringify({ event: kind, time: time.toISOString(), ...started, ...facts });
}

/** An event as lines. Those of the start are the server's own, which it prints without this command. */
export function toStartText(event: StartEvent): string {
  switch (event.kind) {
    case 'ready': {
      const { length } = event.workers;
      const count = toCount(length, 'worker');
      return [...toStartLines(event.running), `[capix] ${count}: ${toPids(event.workers)}`].join(
        '\n',
      );
    }
    case 'worker-ended':
      return `[capix] ${toEnd(event)}. Another one starts in ${toDuration(event.restartMs)}.`;
    case 'worker-started':
      return `[capix] ${toWorker(event)} serves.`;
    case 'restarting':
      return '[capix] The workers are replaced, one by one.';
    case 'restarted':
      return `[capix] All workers were replaced: ${toPids(event.workers)}`;
    case 'restart-failed':
      return `[capix] ${toEnd(event)} before it served. The workers that serve were not replaced.`;
    case 'stopping':
      return '[capix] The workers finish their requests. A second signal ends them at once.';
  }
}

function toPids(workers: readonly WorkerName[]): string {
  return workers.map(({ pid }) => pid).join(', ');
}

function toWorker({ worker, pid }: WorkerName): string {
  return `Worker ${worker} (process ${pid})`;
}

function toEnd(end: WorkerName & WorkerEnd): string {
  return `${toWorker(end)} ended ${toEndText(end)}`;
}

const reasons = {
  'start-timeout': ' (it did not serve within --start-timeout)',
  'hang-timeout': ' (its event loop did not turn within --hang-timeout)',
  'stop-grace': ' (it did not end within --stop-grace)',
} as const;

/** `with exit code 1`, `by SIGKILL`, `by SIGKILL (it did not serve within --start-timeout)` */
export function toEndText(end: WorkerEnd): string {
  return `${toExitText(end)}${end.reason === undefined ? '' : reasons[end.reason]}`;
}
