import type { EventEmitter } from 'node:events';

type Emit = (event: string | symbol, details: readonly unknown[]) => boolean;

/**
 * Puts `take` before all listeners of an emitter, for good: it gets each event, and `pass`, which gives the event to
 * the listeners and says whether there are any.
 */
export function interceptEvents(
  emitter: EventEmitter,
  take: (pass: Emit, ...event: Parameters<Emit>) => boolean,
): void {
  const { emit } = emitter;
  const pass: Emit = (event, details) =>
    Reflect.apply(emit, emitter, [event, ...details]) as boolean;
  emitter.emit = (event: string | symbol, ...details: unknown[]): boolean =>
    take(pass, event, details);
}
