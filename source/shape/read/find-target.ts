import { findAtPointer } from './find-at-pointer.ts';

/** Finds what a reference (`#/$defs/a%20b`) points to in its document; undefined where there is nothing, or where it points out of the document. */
export function findTarget(reference: string, root: unknown): unknown {
  return reference === '#' || reference.startsWith('#/') ? findAtPointer(root, decode(reference)) : undefined;
}

/** A `%` that stands for itself stays. */
function decode(reference: string): string {
  try {
    return decodeURIComponent(reference);
  } catch {
    return reference;
  }
}
