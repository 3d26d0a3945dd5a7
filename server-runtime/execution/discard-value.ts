import { toReplyData } from '../capability/reply.ts';
import { findItemSource } from '../resources/item-source.ts';

/** Lets go of what a handler gave when nobody waits for it any more: a stream holds no file then, and its faults end nothing. */
export function discardValue(value: unknown): void {
  try {
    void findItemSource(toReplyData(value))?.end();
  } catch {
    // Somebody else reads it, and ends it.
  }
}
