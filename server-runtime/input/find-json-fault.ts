import { MAX_INPUT_DEPTH } from './is-too-deep.ts';
import { isUnsafeKey } from './is-unsafe-key.ts';

/** The faults that keep a parsed JSON value from being an input. */
export type JsonFault = 'too deep' | 'unsafe keys';

/**
 * Gives what is wrong with the value that was parsed from a JSON text, looked for in the way that costs least. Brackets enough to be too deep are in
 * few texts, and two native searches find out: such a value is walked, once for depth and keys, which is 5 to 10 % of parsing it. Any other
 * text is searched for the parts of unsafe keys, because a long list in it would make a walk long.
 */
export function findJsonFault(value: object, text: string): JsonFault | undefined {
  if (mayBeTooDeep(text)) return faults[walk(value, MAX_INPUT_DEPTH)];
  return UNSAFE_PARTS.some((part) => text.includes(part)) ? 'unsafe keys' : undefined;
}

function mayBeTooDeep(text: string): boolean {
  return text.length > 2 * MAX_INPUT_DEPTH && (hasMany(text, '{') || hasMany(text, '['));
}

/** Half of what is too deep is of one kind. */
function hasMany(text: string, bracket: string): boolean {
  let count = 0;
  for (let at = text.indexOf(bracket); at !== -1; at = text.indexOf(bracket, at + 1)) {
    if (++count > MAX_INPUT_DEPTH / 2) return true;
  }
  return false;
}

/** A text without these has no unsafe key. Keys may be written with escapes. */
const UNSAFE_PARTS = ['proto', 'constructor', '\\u'];

const FINE = 0;
const UNSAFE_KEYS = 1;
const TOO_DEEP = 2;
const faults: readonly (JsonFault | undefined)[] = [undefined, 'unsafe keys', 'too deep'];

/** The place of what it finds in {@link faults}. By `for … in`, which makes no list of the values. */
function walk(container: object, levels: number): number {
  if (levels === 0) return TOO_DEEP;
  let found = FINE;
  if (Array.isArray(container)) {
    for (const item of container as readonly unknown[]) {
      if (typeof item === 'object' && item !== null) found = Math.max(found, walk(item, levels - 1));
      if (found === TOO_DEEP) return found;
    }
    return found;
  }
  for (const key in container) {
    if (isUnsafeKey(key)) found = Math.max(found, UNSAFE_KEYS);
    const value = (container as Readonly<Record<string, unknown>>)[key];
    if (typeof value === 'object' && value !== null) found = Math.max(found, walk(value, levels - 1));
    if (found === TOO_DEEP) return found;
  }
  return found;
}
