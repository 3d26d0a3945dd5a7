import { toReplyData } from '../capability/reply.ts';
import { findItemSource } from '../resources/item-source.ts';

/** Releases what a handler gave when nobody waits for it: a stream holds no file, and its faults end nothing. */
export function discardValue(value: unknown): void {
  try {
    void findItemSource(toReplyData(value))?.end();
  } catch {
    // Somebody else reads it, and ends it.
  }
}
