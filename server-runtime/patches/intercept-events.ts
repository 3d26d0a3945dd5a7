import type { EventEmitter } from 'node:events';

type Emit = (event: string | symbol, details: readonly unknown[]) => boolean;

/**
 * Puts `take` before all listeners of an emitter: it gets each event, and `pass`, which gives the event to the
 * listeners and says whether there are any. The returned function takes it away again, unless somebody else has patched
 * the emitter since.
 */
export function interceptEvents(
  emitter: EventEmitter,
  take: (pass: Emit, ...event: Parameters<Emit>) => boolean,
): () => void {
  const { emit } = emitter;
  const pass: Emit = (event, details) => Reflect.apply(emit, emitter, [event, ...details]) as boolean;
  const intercepted = (event: string | symbol, ...details: unknown[]): boolean => take(pass, event, details);
  emitter.emit = intercepted as typeof emit;
  return () => {
    if (emitter.emit === (intercepted as typeof emit)) emitter.emit = emit;
  };
}
