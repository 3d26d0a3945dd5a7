import { Readable } from 'node:stream';
import { isReply } from '../capability/reply.ts';
import { discardValue } from '../execution/execute.ts';
import { isBodiless, type RawHeaders } from '../http/exchange.ts';
import { isAsyncIterable, isResponse, isWebStream } from '../resources/item-source.ts';

/** The content of a response, made of a handler's value. Headers are without those of every response. */
export type HandlerContent = { readonly status: number; readonly headers: RawHeaders } & (
  | { /** Goes into the envelope. */ readonly kind: 'data'; readonly value: unknown }
  | { readonly kind: 'bytes'; readonly value: string | Uint8Array | undefined }
  | { readonly kind: 'stream'; readonly value: Readable }
  | { readonly kind: 'events'; readonly value: AsyncIterable<unknown> }
);

/**
 * `reply(…)`, a `Response`, bytes, a stream of Node or the web, an async iterable; anything else is data. A text with
 * a content type of its own is sent as it is, but for `isCall`: `capix/client` reads a text as data.
 */
export function toHandlerContent(value: unknown, isCall: boolean): HandlerContent {
  if (!isReply(value)) return toContent(value, 200, []);
  const { data, status = 200 } = value;
  const headers = toRawHeaders(Object.entries(value.headers));
  const isRedirect = status >= 300 && status < 400 && headers.includes('location');
  if (isBodiless(status) || isRedirect) {
    discardValue(data);
    return { kind: 'bytes', status, headers, value: undefined };
  }
  if (typeof data !== 'string' || !headers.includes('content-type')) return toContent(data, status, headers);
  return isCall
    ? { kind: 'data', status, headers: omitHeaders(headers, (name) => name === 'content-type'), value: data }
    : { kind: 'bytes', status, headers, value: data };
}

/** The value of a header, whose name is in lower case. */
export function findHeader(headers: RawHeaders, name: string): string | undefined {
  for (let at = 0; at + 1 < headers.length; at += 2) if (headers[at] === name) return headers[at + 1];
  return undefined;
}

/** The headers without those that a test finds by their names. */
export function omitHeaders(headers: RawHeaders, isOmitted: (name: string) => boolean): RawHeaders {
  return headers.filter((_text, at) => !isOmitted(headers[at - (at % 2)] ?? ''));
}

function toContent(value: unknown, status: number, headers: RawHeaders): HandlerContent {
  if (typeof value !== 'object' || value === null) return { kind: 'data', status, headers, value };
  if (isResponse(value)) return toResponseContent(value, headers);
  const typed = headers.includes('content-type') ? headers : ['content-type', 'application/octet-stream', ...headers];
  if (value instanceof Uint8Array) return { kind: 'bytes', status, headers: typed, value };
  const { pipe, read } = value as { readonly pipe?: unknown; readonly read?: unknown };
  if (typeof pipe === 'function' && typeof read === 'function')
    return { kind: 'stream', status, headers: typed, value: toByteStream(value as Readable) };
  if (isWebStream(value)) return { kind: 'stream', status, headers: typed, value: fromWeb(value) };
  return isAsyncIterable(value) ? { kind: 'events', status, headers, value } : { kind: 'data', status, headers, value };
}

function toResponseContent(response: Response, more: RawHeaders): HandlerContent {
  const { status, body, url } = response;
  if (status === 0) throw new TypeError('The handler returned Response.error(), which is not an answer.');
  // The body that fetch gives has been decoded, whatever its headers still say.
  const own = [...response.headers].filter(([name]) => url === '' || name !== 'content-encoding');
  const headers = [...toRawHeaders(own), ...more];
  return body === null || isBodiless(status)
    ? { kind: 'bytes', status, headers, value: undefined }
    : { kind: 'stream', status, headers, value: fromWeb(body) };
}

function fromWeb(stream: ReadableStream): Readable {
  return Readable.fromWeb(stream as Parameters<typeof Readable.fromWeb>[0]);
}

/** A stream of texts or bytes as values fails at the first that is neither, where it can be caught. */
function toByteStream(stream: Readable): Readable {
  if (!stream.readableObjectMode || stream.destroyed) return stream;
  // Whoever iterates it hears of its fault, which would end the process until then.
  stream.on('error', () => {});
  return Readable.from(stream, { objectMode: false }).once('close', () => stream.destroy());
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
