import type { Application } from './application.ts';
import { CallsUnderWay } from './calls-under-way.ts';
import type { Guests } from './guests.ts';
import { findQueueInternals } from './job.ts';
import { createApp } from './own-app.ts';
import type { AnyTransport, ServedRoute, TransportStarted } from './transport.ts';

/** A transport of a server that starts or has started. */
export interface OwnTransport {
  readonly transport: AnyTransport;
  /** The application with the capabilities that it makes reachable. */
  readonly application: Application;
  /** Its calls, where it is not a transport of this package: those know their own. */
  readonly underWay: CallsUnderWay;
}

export function toOwnTransport(transport: AnyTransport, application: Application): OwnTransport {
  return { transport, application, underWay: new CallsUnderWay({ isOpen: false }) };
}

/** Rejects where it cannot listen. */
export async function startTransport(
  { transport, application, underWay }: OwnTransport,
  guests: Guests,
): Promise<TransportStarted> {
  const app = createApp(application, { transport: transport.name, guests, underWay });
  const found = await transport.start(app);
  return { ...found, routes: found.routes ?? toKeyRoutes(transport, application) };
}

/** The routes of a transport that calls everything by its key: `LINES  items.getItem  items.getItem`. */
function toKeyRoutes({ name }: AnyTransport, { registry }: Application): readonly ServedRoute[] {
  return registry.operations.map(({ key }) => ({ method: name.toUpperCase(), path: key, key }));
}

/** Lets calls in, once all have started: one may need the queue of another. */
export function openTransports(started: readonly OwnTransport[]): void {
  for (const { underWay } of started) underWay.isOpen = true;
  for (const { transport } of started) transport.open?.();
}

/** Queues end last: the last requests enqueue jobs. */
export async function stopTransports(
  started: readonly OwnTransport[],
  graceMs: number,
): Promise<void> {
  const endsAtMs = performance.now() + graceMs;
  for (const { underWay } of started) underWay.isOpen = false;
  await Promise.all(
    started.map(async ({ transport, underWay }) => {
      const queue = findQueueInternals(transport);
      if (queue !== undefined) return queue.pause();
      await transport.stop({ graceMs });
      // A transport may have waited for none of its calls.
      return underWay.drain(0);
    }),
  );
  const queues = started.filter(({ transport }) => findQueueInternals(transport) !== undefined);
  const leftMs = Math.max(0, endsAtMs - performance.now());
  await Promise.all(queues.map(({ transport }) => transport.stop({ graceMs: leftMs })));
}
