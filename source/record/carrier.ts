import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ContextRequest } from '../../server-runtime/capability/context.ts';
import { interceptEvents } from '../patches/intercept-events.ts';
import type { RequestDetails, RequestRecord } from './request-record.ts';

const MAX_BODY_LENGTH = 64 * 1024;

/** What a request came with and was answered with, apart from the call that it was. */
export interface Carrier {
  /** At its beginning: a host may cut off the path below which it has a handler. */
  readonly start: Pick<RequestRecord, 'method' | 'url'>;
  /** What is known of the answer once it is sent. */
  readonly readEnd: () => Partial<Pick<RequestRecord, 'status' | 'bytes'>>;
  readonly readDetails: () => Pick<RequestDetails, 'headers' | 'answerHeaders' | 'body'>;
}

/** Of a request over HTTP. It looks at the body from now on; reading stays the business of the handler. */
export function toHttpCarrier(incoming: IncomingMessage, response: ServerResponse): Carrier {
  const { method = '', url = '', socket } = incoming;
  const bytesBefore = socket.bytesWritten;
  const readBody = method === 'GET' ? (): undefined => {} : tapBody(incoming);
  return {
    start: { method, url },
    readEnd: () => ({
      status: response.headersSent ? response.statusCode : 0,
      bytes: Math.max(0, (incoming.socket?.bytesWritten ?? 0) - bytesBefore),
    }),
    readDetails: () => ({
      headers: toPairs(incoming.rawHeaders),
      answerHeaders: answerHeaders(response),
      body: readBody(),
    }),
  };
}

/** Of a message: its headers are those of its connection with its own, and its answer has none. */
export function toMessageCarrier({
  method,
  url,
  headers,
}: Pick<ContextRequest, 'method' | 'url' | 'headers'>): Carrier {
  return {
    start: { method, url },
    readEnd: () => ({}),
    readDetails: () => ({
      headers: toHeaderPairs(headers),
      answerHeaders: [],
    }),
  };
}

/** Of a field, which comes and is answered with its operation. */
export function toFieldCarrier(place: string): Carrier {
  return toMessageCarrier({ method: 'GQL', url: place, headers: {} });
}

/** Each value of a header with its name. */
function toHeaderPairs(headers: object): RequestDetails['headers'] {
  return Object.entries(headers).flatMap(([name, value = []]: [string, unknown]) =>
    [value].flat().map((one) => [name, String(one)] as const),
  );
}

function toPairs(rawHeaders: readonly string[]): RequestDetails['headers'] {
  return rawHeaders.flatMap((name, at) =>
    at % 2 === 0 ? [[name, rawHeaders[at + 1] ?? ''] as const] : [],
  );
}

function tapBody(incoming: IncomingMessage): () => string | undefined {
  const body: Buffer[] = [];
  let length = 0;
  interceptEvents(incoming, (pass, event, details) => {
    const [chunk] = details;
    if (event === 'data' && length <= MAX_BODY_LENGTH && Buffer.isBuffer(chunk)) {
      length += chunk.length;
      body.push(chunk);
    }
    return pass(event, details);
  });
  return () => {
    const bytes = Buffer.concat(body);
    if (bytes.length === 0 || bytes.length > MAX_BODY_LENGTH) return undefined;
    const text = bytes.toString('utf8');
    return text.includes('\uFFFD') ? undefined : text;
  };
}

/** The headers of an answer as they were sent, in order and by name; none where nothing was. */
export function answerHeaders(response: ServerResponse): RequestDetails['answerHeaders'] {
  // Headers that are passed to `writeHead` are in no other place; answers over HTTP/2 have no such text.
  const { _header: head } = response as ServerResponse & { readonly _header?: unknown };
  if (typeof head !== 'string') return toHeaderPairs(response.getHeaders());
  const lines = head.split('\r\n').slice(1);
  return lines.flatMap((line) => {
    const end = line.indexOf(':');
    return line === '' ? [] : [[line.slice(0, end), line.slice(end + 1).trim()] as const];
  });
}
