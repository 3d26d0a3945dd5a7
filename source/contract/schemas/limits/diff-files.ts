import type { FileShape } from '../../../shape/shape.ts';
import type { ContractPlace } from '../contract-place.ts';
import { addLeast, addLimit, addMost, toLimitText } from './limit-change.ts';

export function diffFiles(old: FileShape, now: FileShape, place: ContractPlace): void {
  addLeast({ subject: 'file-size', words: 'minimum size', pair: [old.minSize, now.minSize] }, place);
  addMost({ subject: 'file-size', words: 'maximum size', pair: [old.maxSize, now.maxSize] }, place);
  const isNarrower = areWithin(now.mediaTypes, old.mediaTypes);
  const isWider = areWithin(old.mediaTypes, now.mediaTypes);
  if (isNarrower && isWider) return;
  const effect = isNarrower ? 'narrower' : isWider ? 'wider' : 'other';
  const texts = { old: toLimitText(old.mediaTypes), now: toLimitText(now.mediaTypes) };
  addLimit({ subject: 'media-type', words: 'media type', ...texts, effect }, place);
}

/** Whether each of the first is among the second, which are all where there is none: `image/png` is among `image/*`. */
function areWithin(first: readonly string[], second: readonly string[]): boolean {
  if (second.length === 0) return true;
  const isAmong = (type: string): boolean =>
    second.some((other) => other === type || (other.endsWith('/*') && type.startsWith(other.slice(0, -1))));
  return first.length > 0 && first.every(isAmong);
}
