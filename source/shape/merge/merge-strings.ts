import type { StringShape } from '../shape.ts';
import { toGreatest, toLeast } from './to-greatest.ts';

export function mergeStrings(a: StringShape, b: StringShape): StringShape {
  return {
    kind: 'string',
    admitsOthers: a.admitsOthers && b.admitsOthers,
    minLength: toGreatest(a.minLength, b.minLength),
    maxLength: toLeast(a.maxLength, b.maxLength),
    patterns: joinLists(a.patterns, b.patterns),
    formats: joinLists(a.formats, b.formats),
    standsFor: a.standsFor ?? b.standsFor,
    encoding: a.encoding ?? b.encoding,
    mediaType: a.mediaType ?? b.mediaType,
  };
}

/** Gives what stands in either list, once. */
export function joinLists<Item>(a: readonly Item[], b: readonly Item[]): readonly Item[] {
  return [...new Set([...a, ...b])];
}
