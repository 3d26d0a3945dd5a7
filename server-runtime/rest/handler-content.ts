import { isReply } from '../capability/reply.ts';
import { discardValue } from '../execution/execute.ts';
import { isBodiless, type RawHeaders } from '../http/exchange.ts';
import { findItemSource, type ItemSource, isOfBytes, isResponse } from '../resources/item-source.ts';

/** The content of a response, made of a handler's value. Headers are without those of every response. */
export type HandlerContent = { readonly status: number; readonly headers: RawHeaders } & (
  | { /** Goes into the envelope. */ readonly kind: 'data'; readonly value: unknown }
  | { readonly kind: 'bytes'; readonly value: string | Uint8Array | undefined }
  | { readonly kind: 'items'; readonly value: ItemSource }
);

/**
 * `reply(…)`, a `Response`, bytes, a stream of Node or the web, an async iterable; anything else is data. A text with
 * a content type of its own is sent as it is, but for `isCall`: `capix/client` reads a text as data.
 */
export function toHandlerContent(given: unknown, isCall: boolean): HandlerContent {
  const { data: value, status = 200, headers: stated } = isReply(given) ? given : { data: given, headers: {} };
  const headers = toRawHeaders(Object.entries(stated));
  const isTyped = headers.includes('content-type');
  if (isBodiless(status) || (status >= 300 && status < 400 && headers.includes('location'))) {
    discardValue(value);
    return { kind: 'bytes', status, headers, value: undefined };
  }
  if (typeof value === 'string' && isTyped)
    return isCall
      ? { kind: 'data', status, headers: omitHeaders(headers, (name) => name === 'content-type'), value }
      : { kind: 'bytes', status, headers, value };
  if (typeof value !== 'object' || value === null) return { kind: 'data', status, headers, value };
  if (isResponse(value)) return toResponseContent(value, headers);
  const typed = isTyped ? headers : ['content-type', 'application/octet-stream', ...headers];
  if (value instanceof Uint8Array) return { kind: 'bytes', status, headers: typed, value };
  const items = findItemSource(value);
  if (items === undefined) return { kind: 'data', status, headers, value };
  return { kind: 'items', status, headers: isOfBytes(items) ? typed : headers, value: items };
}

function toResponseContent(response: Response, more: RawHeaders): HandlerContent {
  const { status, url } = response;
  if (status === 0) throw new TypeError('The handler returned Response.error(), which is not an answer.');
  // The body that fetch gives has been decoded, whatever its headers still say.
  const own = [...response.headers].filter(([name]) => url === '' || name !== 'content-encoding');
  const headers = [...toRawHeaders(own), ...more];
  const items = isBodiless(status) ? undefined : findItemSource(response);
  return items === undefined
    ? { kind: 'bytes', status, headers, value: undefined }
    : { kind: 'items', status, headers, value: items };
}

/** The value of a header, whose name is in lower case. */
export function findHeader(headers: RawHeaders, name: string): string | undefined {
  return headers.find((_text, at) => at % 2 === 1 && headers[at - 1] === name);
}

/** The headers without those that a test finds by their names. */
export function omitHeaders(headers: RawHeaders, isOmitted: (name: string) => boolean): RawHeaders {
  return headers.filter((_text, at) => !isOmitted(headers[at - (at % 2)] ?? ''));
}

/** The headers that the transport itself sets, whatever a handler says. */
const ownHeaders = /^(connection|content-length|keep-alive|proxy-connection|transfer-encoding|upgrade|x-request-id)$/;

function toRawHeaders(headers: Iterable<readonly [string, string | readonly string[]]>): string[] {
  const raw: string[] = [];
  for (const [name, value] of headers) {
    const lower = name.toLowerCase();
    if (ownHeaders.test(lower)) continue;
    for (const each of typeof value === 'string' ? [value] : value) raw.push(lower, each);
  }
  return raw;
}
