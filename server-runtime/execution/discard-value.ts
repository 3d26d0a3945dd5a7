import type { Readable } from 'node:stream';
import { toReplyData } from '../capability/reply.ts';

/** Lets go of what a handler gave when nobody waits for it any more: a stream holds no file then, and its faults end nothing. */
export function discardValue(value: unknown): void {
  const data = toReplyData(value);
  if (typeof data !== 'object' || data === null) return;
  void end(data).catch(() => {});
}

async function end(data: object): Promise<void> {
  const source = data as Partial<Readable & ReadableStream & Response & AsyncIterable<unknown>>;
  if (typeof source.pipe === 'function' && typeof source.destroy === 'function') {
    source.on?.('error', () => {});
    source.destroy();
  } else if (typeof source.getReader === 'function') await source.cancel?.();
  else if (data instanceof Response) await data.body?.cancel();
  else await source[Symbol.asyncIterator]?.().return?.();
}
