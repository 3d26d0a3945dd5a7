import type { IncomingHttpHeaders } from 'node:http';
import { isReply } from '../capability/reply.ts';
import { discardValue } from '../execution/execute.ts';
import { isBodiless, type RawHeaders } from '../http/exchange.ts';
import { findItemSource, type ItemSource, isOfBytes, isResponse } from '../resources/item-source.ts';

export type HandlerContent = { readonly status: number; readonly headers: RawHeaders } & (
  | { readonly kind: 'data'; readonly value: unknown }
  | { readonly kind: 'bytes'; readonly value: string | Uint8Array | undefined }
  | { readonly kind: 'items'; readonly value: ItemSource }
);

export const JSON_TYPE: RawHeaders = ['content-type', 'application/json; charset=utf-8'];
const BYTES_TYPE: RawHeaders = ['content-type', 'application/octet-stream'];

/**
 * `reply(…)`, a `Response`, bytes, a stream of Node or the web, an async iterable; anything else is data. A text with
 * a content type of its own is sent as it is, but for `isCall`: `capix/client` reads a text as data. `asked` are the
 * headers of the request.
 */
export function toHandlerContent(given: unknown, asked: IncomingHttpHeaders, isCall: boolean): HandlerContent {
  const { data: value, status: stated = 200, headers: more } = isReply(given) ? given : { data: given, headers: {} };
  const response = isResponse(value) ? value : undefined;
  const { status } = response ?? { status: stated };
  if (status === 0) throw new TypeError('The handler returned Response.error(), which is not an answer.');
  // The body that fetch gives has been decoded, whatever its headers still say.
  const isDecoded = response !== undefined && response.url !== '';
  const own = [...(response?.headers ?? [])].filter(([name]) => !isDecoded || name !== 'content-encoding');
  const headers = toRawHeaders([...own, ...Object.entries(more)]);
  const location = status >= 300 && status < 400 ? findHeader(headers, 'location') : undefined;
  const isListed = location !== undefined && asked.accept?.includes('text/uri-list') === true;
  if (isBodiless(status) || isListed || (location !== undefined && response === undefined)) {
    discardValue(value);
    if (!isListed) return { kind: 'bytes', status, headers, value: undefined };
    // A browser shows a page nothing of a redirect that it does not follow, so that clients ask for its URL.
    const others = omitHeaders(headers, (name) => name === 'location');
    const listed = [...others, 'content-type', 'text/uri-list', 'vary', 'accept'];
    return { kind: 'bytes', status: 200, headers: listed, value: `#${status}\r\n${location}\r\n` };
  }
  const isTyped = headers.includes('content-type');
  const withType = (type: RawHeaders): RawHeaders => (isTyped ? headers : [...type, ...headers]);
  if (typeof value === 'string' && isTyped && !isCall) return { kind: 'bytes', status, headers, value };
  if (value instanceof Uint8Array) return { kind: 'bytes', status, headers: withType(BYTES_TYPE), value };
  const items = findItemSource(value);
  if (items !== undefined) {
    const isUntyped = response !== undefined || !isOfBytes(items);
    return { kind: 'items', status, headers: isUntyped ? headers : withType(BYTES_TYPE), value: items };
  }
  if (response !== undefined) return { kind: 'bytes', status, headers, value: undefined };
  if (!isCall) return { kind: 'data', status, headers: withType(JSON_TYPE), value };
  return {
    kind: 'data',
    status,
    headers: [...JSON_TYPE, ...omitHeaders(headers, (name) => name === 'content-type')],
    value,
  };
}

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
  const all = [...headers].map(([name, value]) => [name.toLowerCase(), value] as const);
  return all.flatMap(([name, value]) => (ownHeaders.test(name) ? [] : [value].flat().flatMap((each) => [name, each])));
}
