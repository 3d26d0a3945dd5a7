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

/** A text with a content type of its own is sent as it is, but for `isCall`: `capix/client` reads a text as data. */
export function toHandlerContent(given: unknown, asked: IncomingHttpHeaders, isCall: boolean): HandlerContent {
  const { data: value, status: stated = 200, headers: more } = isReply(given) ? given : { data: given, headers: {} };
  const response = isResponse(value) ? value : undefined;
  const { status } = response ?? { status: stated };
  if (status === 0) throw new TypeError('The handler returned Response.error(), which is not an answer.');
  const headers = toRawHeaders(Object.entries(more), response === undefined ? [] : toOwnHeaders(response));
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
  if (typeof value === 'string' && isTyped && !isCall) return { kind: 'bytes', status, headers, value };
  const items = value instanceof Uint8Array ? undefined : findItemSource(value);
  if (response !== undefined || (items !== undefined && !isOfBytes(items)))
    return items === undefined
      ? { kind: 'bytes', status, headers, value: undefined }
      : { kind: 'items', status, headers, value: items };
  const bytes = isTyped ? headers : ['content-type', 'application/octet-stream', ...headers];
  if (value instanceof Uint8Array) return { kind: 'bytes', status, headers: bytes, value };
  if (items !== undefined) return { kind: 'items', status, headers: bytes, value: items };
  const others = isCall ? omitHeaders(headers, (name) => name === 'content-type') : headers;
  return { kind: 'data', status, headers: isTyped && !isCall ? headers : [...JSON_TYPE, ...others], value };
}

export function findHeader(headers: RawHeaders, name: string): string | undefined {
  return headers.find((_text, at) => at % 2 === 1 && headers[at - 1] === name);
}

/** The headers without those that a test finds by their names. */
export function omitHeaders(headers: RawHeaders, isOmitted: (name: string) => boolean): RawHeaders {
  return headers.filter((_text, at) => !isOmitted(headers[at - (at % 2)] ?? ''));
}

/** The body that fetch gives has been decoded, whatever its headers still say. */
function toOwnHeaders({ headers, url }: Response): string[] {
  return toRawHeaders([...headers].filter(([name]) => url === '' || name !== 'content-encoding'));
}

/** The headers that the transport itself sets, whatever a handler says. */
const ownHeaders = /^(connection|content-length|keep-alive|proxy-connection|transfer-encoding|upgrade|x-request-id)$/;

function toRawHeaders(headers: Iterable<readonly [string, string | readonly string[]]>, raw: string[] = []): string[] {
  for (const [name, value] of headers) {
    const lower = name.toLowerCase();
    if (ownHeaders.test(lower)) continue;
    for (const each of typeof value === 'string' ? [value] : value) raw.push(lower, each);
  }
  return raw;
}
