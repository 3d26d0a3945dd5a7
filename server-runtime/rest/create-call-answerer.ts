import { stringify } from 'devalue';
import { isReply, reply } from '../capability/reply.ts';
import { defineEnvelope } from '../http/envelope.ts';
import { type Answerer, type AnswererOptions, createAnswerer } from './answerer.ts';
import type { RestRequest } from './rest-request.ts';

/** Answers calls by key in the envelope that `capix/client` reads, and every other request in the API's own. */
export function createCallAnswerer(options: AnswererOptions, prefix: string): Answerer {
  const own = createAnswerer(options);
  const called = createAnswerer({ ...options, envelope: callEnvelope, toText: toCallText });
  const pick = ({ path }: RestRequest): Answerer => (path.startsWith(`${prefix}/_call/`) ? called : own);
  return {
    succeed: (request, value) => {
      const answerer = pick(request);
      answerer.succeed(request, answerer === called ? toCalled(value) : value);
    },
    refuse: (request, failure, headers) => pick(request).refuse(request, failure, headers),
    serve: own.serve,
    preflight: own.preflight,
    endEvents: () => {
      own.endEvents();
      called.endEvents();
    },
  };
}

/** A text is data like any other, so that the type of a response tells it from bytes. */
function toCalled(value: unknown): unknown {
  if (!isReply(value) || typeof value.data !== 'string') return value;
  const headers = Object.entries(value.headers).filter(([name]) => name.toLowerCase() !== 'content-type');
  return reply(value.data, { status: value.status, headers: Object.fromEntries(headers) });
}

/** The data and the `meta` of an error are as devalue flattens them. */
const callEnvelope = defineEnvelope({
  failure: ({ name, message, meta }) => ({
    error: name,
    message,
    meta: meta && (JSON.parse(toCallText(meta)) as unknown),
  }),
  failureSchema: {},
});

/**
 * A value as JSON in which dates, big integers, maps and sets are what they are.
 *
 * @throws TypeError that says what cannot be sent, and where it is
 */
function toCallText(value: unknown, key = 'The handler'): string {
  try {
    return stringify(toSent(value), {}, { operations: { get: readField, shapeOf } });
  } catch (cause) {
    const { message, path } = cause as Error & { readonly path?: string };
    throw new TypeError(`${key} returned a value that cannot be sent: ${message}${path ? ` (at ${path})` : ''}`, {
      cause,
    });
  }
}

function readField(from: Readonly<Record<PropertyKey, unknown>>, name: PropertyKey): unknown {
  return toSent(from[name]);
}

/** Functions and symbols are left out, as in JSON, and an object is what it says of itself. */
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
