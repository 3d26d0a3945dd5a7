import { looksSecret } from './secret-names.ts';

/** No value to show: there was none, or it is a secret. */
export const UNSEEN = Symbol('unseen');

/** The longest value, in characters, that an answer repeats to the caller. */
const MAX_LENGTH = 200;

/**
 * The value that the caller sent at `path`, fit to be sent back: at most 200 characters of it, and `UNSEEN` where it is
 * missing or where a name on the way looks secret. Secrets inside an object are masked.
 */
export function toReceived(input: unknown, path: readonly PropertyKey[]): unknown {
  let value = input;
  for (const step of path) {
    if (looksSecret(String(step))) return UNSEEN;
    const isInside = typeof value === 'object' && value !== null && Object.hasOwn(value, step);
    value = isInside ? (value as Record<PropertyKey, unknown>)[step] : undefined;
  }
  if (value === undefined || typeof value === 'function' || typeof value === 'symbol') return UNSEEN;
  if (typeof value === 'string') return cut(value);
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return value;
  return toShown(value);
}

function toShown(value: unknown): unknown {
  const text = toSafeJson(value);
  if (text === undefined) return UNSEEN;
  return text.length > MAX_LENGTH ? cut(text) : (JSON.parse(text) as unknown);
}

function toSafeJson(value: unknown): string | undefined {
  try {
    return JSON.stringify(value, (key, inner: unknown) => {
      if (looksSecret(key)) return '***';
      if (typeof inner === 'bigint') return inner.toString();
      return ArrayBuffer.isView(inner) || isSerializedBuffer(inner) ? '[binary]' : inner;
    });
  } catch {
    return undefined;
  }
}

/** What `JSON.stringify` hands a replacer for a Buffer: its `toJSON` has already run. */
function isSerializedBuffer(value: unknown): boolean {
  return (
    typeof value === 'object' && value !== null && (value as { type?: unknown }).type === 'Buffer' && 'data' in value
  );
}

function cut(text: string): string {
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text;
}
