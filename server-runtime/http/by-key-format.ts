import { stringify } from 'devalue';
import { defineEnvelope } from './envelope.ts';

/** Calls by key have the data and the `meta` of an error as devalue flattens them. */
export const byKeyFormat = {
  envelope: defineEnvelope({
    failure: ({ name, message, meta }) => ({
      error: name,
      message,
      meta: meta && JSON.parse(toText(meta)),
    }),
    failureSchema: {},
  }),
  toText,
};

/** JSON that keeps dates, big integers, maps and sets. @throws TypeError for a value that cannot be sent */
function toText(value: unknown, key = 'The handler'): string {
  try {
    return stringify(
      toSent(value),
      {},
      { operations: { get: (from, name) => toSent(from[name]), shapeOf } },
    );
  } catch (cause) {
    const { message, path } = cause as Error & { readonly path?: string };
    const place = path ? ` (at ${path})` : '';
    throw new TypeError(`${key} returned a value that cannot be sent: ${message}${place}`, {
      cause,
    });
  }
}

/** Functions and symbols are left out, as JSON does, and the `toJSON` of an object is called. */
function toSent(value: unknown): unknown {
  if (typeof value === 'function' || typeof value === 'symbol') return undefined;
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  const { toJSON } = value as { readonly toJSON?: unknown };
  return typeof toJSON === 'function' ? Reflect.apply(toJSON, value, ['']) : value;
}

/** An instance of a class is its fields; one without fields, such as a regular expression, is refused. */
function shapeOf(value: object) {
  const keys = Object.keys(value);
  const isSilent = keys.length === 0 && Object.prototype.toString.call(value) !== '[object Object]';
  return isSilent ? { kind: 'not-plain' as const } : { kind: 'plain' as const, keys };
}
