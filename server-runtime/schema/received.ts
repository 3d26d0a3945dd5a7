import { looksSecret } from './looks-secret.ts';

/** No value to show: there was none, or it is a secret. */
export const UNSEEN = Symbol('unseen');

/** The longest value, in characters, that an answer repeats to the caller. */
const MAX_LENGTH = 200;

/**
 * The value that the caller sent at `path`, fit to be sent back: at most 200 characters of it, and `UNSEEN` where it is
 * missing or where a name on the way looks secret or is too long for a name. Secrets inside an object are masked.
 */
export function toReceived(input: unknown, path: readonly PropertyKey[]): unknown {
  for (const step of path) {
    const name = String(step);
    if (name.length > MAX_LENGTH || looksSecret(name)) return UNSEEN;
  }
  const value = findSent(input, path);
  if (value === undefined || typeof value === 'function' || typeof value === 'symbol') return UNSEEN;
  if (typeof value === 'string') return cutReceived(value, MAX_LENGTH);
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return value;
  return toShown(value);
}

/** The value that a caller sent at `path`, own fields only; undefined where there is none, the whole input at an empty path. */
export function findSent(input: unknown, path: readonly PropertyKey[]): unknown {
  let value = input;
  for (const step of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
    value = (value as Readonly<Record<PropertyKey, unknown>>)[step];
  }
  return value;
}

/** At most `length` characters of a text, and a mark where there were more. */
export function cutReceived(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}…` : text;
}

function toShown(value: unknown): unknown {
  const text = toStartOfJson(value);
  if (text === undefined) return UNSEEN;
  return text.length > MAX_LENGTH ? cutReceived(text, MAX_LENGTH) : (JSON.parse(text) as unknown);
}

/** JSON that is right in its first 200 characters, and short: what a caller sent may be long. Undefined for what has none. */
function toStartOfJson(value: unknown): string | undefined {
  let left = MAX_LENGTH;
  try {
    return JSON.stringify(toExcerpt(value));
  } catch {
    return undefined;
  }

  /** Each value is a character at least, so that no more than {@link MAX_LENGTH} of them matter. */
  function toExcerpt(from: unknown): unknown {
    left--;
    if (typeof from === 'string') return from.slice(0, MAX_LENGTH + 1);
    if (typeof from === 'bigint') return from.toString();
    if (typeof from !== 'object' || from === null) return from;
    if (ArrayBuffer.isView(from)) return '[binary]';
    if (Array.isArray(from)) return toItems(from);
    const { toJSON } = from as { readonly toJSON?: unknown };
    return typeof toJSON === 'function' ? toExcerpt(Reflect.apply(toJSON, from, [])) : toFields(from);
  }

  function toItems(from: readonly unknown[]): unknown[] {
    const items: unknown[] = [];
    for (let at = 0; at < from.length && left > 0; at++) items.push(toExcerpt(from[at]));
    return items;
  }

  function toFields(from: object): object {
    const fields: Record<string, unknown> = Object.create(null);
    for (const name in from) {
      if (left-- <= 0) break;
      // A name that is too long to be shown hides what comes after it.
      if (name.length > MAX_LENGTH) fields[name.slice(0, MAX_LENGTH + 1)] = null;
      else if (looksSecret(name)) fields[name] = '***';
      else if (Object.hasOwn(from, name)) fields[name] = toExcerpt((from as Record<string, unknown>)[name]);
    }
    return fields;
  }
}
