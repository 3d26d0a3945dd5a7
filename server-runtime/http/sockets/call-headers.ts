import type { IncomingHttpHeaders } from 'node:http';
import { toTypeWords } from '../../input/safe-input.ts';

/** Headers that a message carries; names in lower case. */
export type CallHeaders = Readonly<Record<string, string>>;

/**
 * Facts about a caller from the browser or a proxy, which messages go past. A page could send other values, and a proxy
 * that knows who the caller is removes these from what a caller sends.
 */
const FORBIDDEN = new RegExp(
  `^(${[
    'cookie|host|origin|connection|upgrade|via|forwarded|remote-.*|sec-.*|proxy-.*|cf-.*|tailscale-.*',
    '(true|fly|fastly)-client-ip|(x-)?(client|real|cluster-client)-ip|x-(forwarded|original|rewrite|envoy)-.*',
    'x-(auth-request|authenticated|remote|webauth|ssl|client-cert|amzn|goog|ms|azure|appengine)-.*',
  ].join('|')})$`,
);

/**
 * The headers that a message may say anew though the request for the connection had them. The others of that request
 * may be the words of a proxy about the caller.
 */
const RENEWABLE = /^(authorization|accept|accept-.*|cache-control|pragma|user-agent)$/;

const MAX_HEADERS = 64;
/** The characters of the headers of a message, as of the head of a request. */
const MAX_LENGTH = 16_384;

interface HeaderRules {
  /** Whether null removes one. */
  readonly mayRemove: boolean;
  /** Those of the request that opened the connection. */
  readonly opened: IncomingHttpHeaders;
}

/** The reason why these headers cannot be taken, as a sentence. */
export function findHeaderFault(headers: unknown, rules: HeaderRules): string | undefined {
  if (headers === undefined) return undefined;
  if (typeof headers !== 'object' || headers === null || Array.isArray(headers))
    return `Headers must be an object of texts, got ${toTypeWords(headers)}`;
  const entries = Object.entries(headers);
  if (isTooMuch(entries))
    return `There may be at most ${MAX_HEADERS} headers, of ${MAX_LENGTH} characters`;
  for (const [name, value] of entries) {
    const fault =
      findNameFault(name, rules) ??
      findValueFault(name, rules.mayRemove && value === null ? '' : value);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

/** Whether these are more headers than so many messages may have. */
function isTooMuch(entries: readonly [string, unknown][], messages = 1): boolean {
  const texts = entries.flat().filter((text) => typeof text === 'string');
  return entries.length > messages * MAX_HEADERS || texts.join('').length > messages * MAX_LENGTH;
}

function findNameFault(name: string, { opened }: HeaderRules): string | undefined {
  if (!/^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,128}$/.test(name)) return 'A header has an invalid name';
  const lower = name.toLowerCase();
  if (FORBIDDEN.test(lower)) return `A message may not carry the header ${name}`;
  if (!Object.hasOwn(opened, lower) || RENEWABLE.test(lower)) return undefined;
  return `No message may change the header ${name}, which the request for the connection had`;
}

function findValueFault(name: string, value: unknown): string | undefined {
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

/** Headers of one call alone, and those of the handshake, which no call takes from the upgrade. */
const ofTheUpgrade =
  `x-request-id idempotency-key last-event-id traceparent tracestate connection upgrade
  sec-websocket-key sec-websocket-version sec-websocket-extensions`.split(/\s+/);

/** The headers that a call of a connection has by the request that opened it. */
export function toConnectionHeaders(opened: IncomingHttpHeaders): IncomingHttpHeaders {
  return omit(opened, ofTheUpgrade);
}

/** The same headers with these changes; undefined where they would be too many, or too long. */
export function changeHeaders(
  headers: IncomingHttpHeaders,
  changes: Readonly<Record<string, string | null>>,
): IncomingHttpHeaders | undefined {
  const changed = { ...omit(headers, Object.keys(changes)) };
  for (const [name, value] of Object.entries(changes)) if (value !== null) changed[name] = value;
  return isTooMuch(Object.entries(changed), 2) ? undefined : changed;
}

function omit(headers: IncomingHttpHeaders, names: readonly string[]): IncomingHttpHeaders {
  if (!names.some((name) => Object.hasOwn(headers, name))) return headers;
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name)));
}
