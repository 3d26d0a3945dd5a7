import { isReply, type Reply } from '../capability/reply.ts';
import { discardValue } from '../execution/execute.ts';
import { findItemSource, type ItemSource, isResponse } from '../resources/item-source.ts';
import { joinHeaders, toRawHeaders } from '../server/raw-headers.ts';
import { parseWeights } from './accept.ts';
import { isBodiless, type RawHeaders } from './exchange.ts';
import { findHeader } from './http-response.ts';

/** The form in which a handler's value is sent. */
export type AnswerBody =
  | { readonly kind: 'empty' }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | { readonly kind: 'items'; readonly items: ItemSource }
  | { readonly kind: 'data'; readonly value: unknown };

/** A handler's value, with the status and the headers of its response. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: RawHeaders;
  readonly body: AnswerBody;
  /** The place to which a redirect leads. */
  readonly location: string | undefined;
  /** Whether a body of bytes without a type gets the general one. A `Response` sets its own type, or none. */
  readonly needsType: boolean;
  /** The bytes of a stream, where they are counted. */
  readonly byteLength?: number | undefined;
}

/**
 * Reads the value of a handler. @throws TypeError for a stream that other code reads already, and `Response.error()`
 */
export function toHttpAnswer(handled: unknown): HttpAnswer {
  const { data, status, headers } = isReply(handled) ? toReplyHead(handled) : toDataHead(handled);
  const isWhole = isResponse(data);
  const location = status >= 300 && status < 400 ? findHeader(headers, 'location') : undefined;
  // A redirect has a body only where a `Response` brings one; other data of a redirect is not sent.
  if (isBodiless(status) || (location !== undefined && !isWhole)) {
    discardValue(data);
    return { status, headers, location, body: { kind: 'empty' }, needsType: false };
  }
  const hasType = findHeader(headers, 'content-type') !== undefined;
  const body = toBody(data, hasType);
  return { status, headers, location, body, needsType: !hasType && !isWhole };
}

interface Head {
  readonly data: unknown;
  readonly status: number;
  readonly headers: RawHeaders;
}

function toDataHead(data: unknown): Head {
  if (!isResponse(data)) return { data, status: 200, headers: [] };
  if (data.status === 0) throw new TypeError('Response.error() is not an answer: it has no status');
  return { data, status: data.status, headers: toResponseHeaders(data) };
}

/** The headers of a reply win over those of a `Response` in it, whose status stays. */
function toReplyHead({ data, status, headers }: Reply): Head {
  const own = toRawHeaders(Object.entries(headers));
  const inner = toDataHead(data);
  if (isResponse(data)) return { ...inner, headers: joinHeaders(own, inner.headers) };
  return { data, status: status ?? 200, headers: own };
}

/** The bytes of a stream as its handler states them; a `Response` that `fetch` has decoded has other ones. */
export function findStatedLength(handled: unknown): number | undefined {
  const { data, headers } = isReply(handled) ? handled : { data: handled, headers: {} };
  const own = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-length');
  const isStated = isResponse(data) && !data.headers.has('content-encoding');
  const text = own?.[1] ?? (isStated ? data.headers.get('content-length') : null);
  return typeof text === 'string' && /^\d+$/.test(text) ? Number(text) : undefined;
}

function toBody(data: unknown, hasType: boolean): AnswerBody {
  if (typeof data === 'string' && hasType) return { kind: 'text', text: data };
  if (data instanceof Uint8Array) return { kind: 'bytes', bytes: toAttached(data) };
  const items = findItemSource(data);
  if (items !== undefined) return { kind: 'items', items };
  return isResponse(data) ? { kind: 'empty' } : { kind: 'data', value: data };
}

/** Bytes that another thread has taken are empty. @throws TypeError for those: Node would leave the response open */
function toAttached(bytes: Uint8Array): Uint8Array {
  return bytes.byteLength === 0 ? new Uint8Array(bytes.buffer, 0, 0) : bytes;
}

/** The body that fetch gives has been decoded, whatever its headers still say. */
function toResponseHeaders({ headers, url }: Response): RawHeaders {
  const others = [...headers].filter(
    ([name]) => name !== 'set-cookie' && (url === '' || name !== 'content-encoding'),
  );
  const cookies = headers.getSetCookie();
  return toRawHeaders([...others, ['set-cookie', cookies]]);
}

/** The headers of a response that has the status and the place of a redirect as its text. */
export const LOCATION_TYPE: RawHeaders = ['content-type', 'text/uri-list', 'vary', 'Accept'];

/** Whether a client wants a redirect as a text: a browser shows a page nothing of one that it does not follow. */
export function takesLocation(accept: string | undefined): boolean {
  return (
    accept?.includes('text/uri-list') === true && parseWeights(accept).get('text/uri-list') !== 0
  );
}

/** Whether Node sends a place in a header. A text with another one could hold further lines. */
export function isSendable(location: string): boolean {
  return !/[^\t\x20-\x7e\x80-\xff]/.test(location);
}

/** The headers of bytes, which have a type. */
export function withType({ headers, needsType }: HttpAnswer): RawHeaders {
  return needsType ? ['content-type', 'application/octet-stream', ...headers] : headers;
}
