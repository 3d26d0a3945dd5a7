import type { RawHeaders, ResponseBody } from './exchange.ts';

/** A response before the transport has added its own headers: length, request id, CORS. */
export interface HttpResponse {
  /** @default 200 */
  readonly status?: number | undefined;
  /** Names in lower case. */
  readonly headers: RawHeaders;
  readonly body?: ResponseBody;
  /** The length of a text or a stream, where it is known. */
  readonly byteLength?: number | undefined;
}

export const JSON_TYPE: RawHeaders = ['content-type', 'application/json; charset=utf-8'];

export function findHeader(headers: RawHeaders, name: string): string | undefined {
  return headers.find((_text, at) => at % 2 === 1 && headers[at - 1] === name);
}

/** The headers without those that a test finds by their names. */
export function omitHeaders(headers: RawHeaders, isOmitted: (name: string) => boolean): RawHeaders {
  return headers.filter((_text, at) => !isOmitted(headers[at - (at % 2)] ?? ''));
}

/** A header that was sent once. */
export function findText(header: string | readonly string[] | undefined): string | undefined {
  return typeof header === 'string' ? header : undefined;
}
