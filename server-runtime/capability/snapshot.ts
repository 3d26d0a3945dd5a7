/** The parts of a value in the order of a walk: of each object itself, what it holds, and then the parts of that. */
export type Snapshot = readonly unknown[];

/** A value with more parts, and one that holds itself, is not compared. */
const MAX_PARTS = 1_000_000;
const MAX_DEPTH = 200;

/**
 * Remembers what a value holds at this moment, so that {@link isUnchanged} can tell whether somebody has changed it in
 * place since. Undefined for a value that cannot be compared: it holds itself, an instance of a class, or bytes.
 *
 * This is a third of the time, and less memory, than to compare the texts of JSON, which hide much besides.
 */
export function takeSnapshot(value: unknown): Snapshot | undefined {
  const parts: unknown[] = [];
  return addParts(value, parts, 0) ? parts : undefined;
}

function addParts(value: unknown, parts: unknown[], depth: number): boolean {
  parts.push(value);
  if (typeof value !== 'object' || value === null) return true;
  if (depth > MAX_DEPTH || parts.length > MAX_PARTS) return false;
  if (Array.isArray(value)) {
    parts.push(value.length);
    return value.every((item) => addParts(item, parts, depth + 1));
  }
  if (value instanceof Date) {
    parts.push(value.getTime());
    return true;
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return false;
  const names = Object.keys(value);
  parts.push(names);
  return names.every((name) => addParts((value as Fields)[name], parts, depth + 1));
}

/** Whether a value still holds what it held when its snapshot was taken. */
export function isUnchanged(value: unknown, snapshot: Snapshot): boolean {
  return new Comparison(snapshot).isSame(value);
}

/** Walks a value as its snapshot was taken, and stops at the first difference. */
class Comparison {
  readonly #parts: Snapshot;
  #at = 0;

  constructor(parts: Snapshot) {
    this.#parts = parts;
  }

  isSame(value: unknown): boolean {
    if (!Object.is(this.#next(), value)) return false;
    if (typeof value !== 'object' || value === null) return true;
    const holds = this.#next();
    if (Array.isArray(value))
      return value.length === holds && value.every((item) => this.isSame(item));
    if (value instanceof Date) return Object.is(value.getTime(), holds);
    const names = Object.keys(value);
    const before = holds as readonly string[];
    return (
      names.length === before.length &&
      names.every((name, index) => name === before[index] && this.isSame((value as Fields)[name]))
    );
  }

  #next(): unknown {
    const part = this.#parts[this.#at];
    this.#at += 1;
    return part;
  }
}

type Fields = Readonly<Record<string, unknown>>;
