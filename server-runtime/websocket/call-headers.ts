import type { IncomingHttpHeaders } from 'node:http';
import { toTypeWords } from '../input/safe-input.ts';

/** Headers that a message carries; names in lower case. */
export type CallHeaders = Readonly<Record<string, string>>;

/** Facts about a caller from the browser or a proxy. A page could send other values, which are ignored. */
const FORBIDDEN =
  /^(cookie|host|origin|connection|upgrade|sec-.*|proxy-.*|forwarded|x-forwarded-.*|x-real-ip)$/;

const MAX_HEADERS = 64;

/** The reason why these headers cannot be taken, as a sentence. `mayRemove`: null removes one. */
export function findHeaderFault(headers: unknown, mayRemove: boolean): string | undefined {
  if (headers === undefined) return undefined;
  if (typeof headers !== 'object' || headers === null || Array.isArray(headers))
    return `Headers must be an object of texts, got ${toTypeWords(headers)}`;
  const entries = Object.entries(headers);
  if (entries.length > MAX_HEADERS) return `There may be at most ${MAX_HEADERS} headers`;
  for (const [name, value] of entries) {
    const fault = findFieldFault(name, mayRemove && value === null ? '' : value);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function findFieldFault(name: string, value: unknown): string | undefined {
  if (!/^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,128}$/.test(name)) return 'A header has a name that is none';
  if (FORBIDDEN.test(name.toLowerCase())) return `A message may not carry the header ${name}`;
  if (typeof value === 'string' && !/[^\t\x20-\x7e\x80-\xff]/.test(value)) return undefined;
  return `The header ${name} must be a text that a header can carry`;
}

export function toCallHeaders<Value>(
  headers: Readonly<Record<string, Value>>,
): Readonly<Record<string, Value>> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
}

/** Headers of one call alone, which no call takes from the upgrade. */
const ofOneCall = ['x-request-id', 'idempotency-key', 'last-event-id', 'traceparent', 'tracestate'];

/** The headers that a call of a connection has by the request that opened it. */
export function toConnectionHeaders(opened: IncomingHttpHeaders): IncomingHttpHeaders {
  return omit(opened, ofOneCall);
}

/** The same headers with these changes; undefined where they would be too many. */
export function changeHeaders(
  headers: IncomingHttpHeaders,
  changes: Readonly<Record<string, string | null>>,
): IncomingHttpHeaders | undefined {
  const changed = { ...omit(headers, Object.keys(changes)) };
  for (const [name, value] of Object.entries(changes)) if (value !== null) changed[name] = value;
  return Object.keys(changed).length > 2 * MAX_HEADERS ? undefined : changed;
}

function omit(headers: IncomingHttpHeaders, names: readonly string[]): IncomingHttpHeaders {
  if (!names.some((name) => Object.hasOwn(headers, name))) return headers;
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name)));
}
