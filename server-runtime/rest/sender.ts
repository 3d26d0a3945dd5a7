import { Readable } from 'node:stream';
import { isReply } from '../capability/reply.ts';
import type { Failure } from '../errors/failure.ts';
import { discardValue } from '../execution/execute.ts';
import type { RawHeaders } from '../http/exchange.ts';
import { isResponse } from '../resources/item-source.ts';
import type { Application } from '../server/application.ts';
import type { CorsSettings } from './cors-settings.ts';
import type { RestRequest } from './rest-request.ts';

export interface AnswerContent<Body> {
  readonly status: number;
  /** Besides those of every answer: length, request id, CORS. */
  readonly headers: RawHeaders;
  readonly body: Body;
  /** The length of the body, where it is known. */
  readonly byteLength?: number;
}

/** Sends answers, and tells the hooks and the log of them. Each throws for headers that cannot be sent. */
export interface Sender {
  /** Gives a promise, which rejects with what it would throw, only where a good answer is worked on first. */
  readonly send: (
    request: RestRequest,
    answer: AnswerContent<string | Uint8Array | undefined>,
  ) => Promise<void> | undefined;
  readonly sendStream: (request: RestRequest, answer: AnswerContent<Readable>) => void;
  /** Tells of a failure that is about to be answered, or that came too late for that. */
  readonly report: (request: RestRequest, failure: Failure) => void;
}

/** The life of a transport. While it drains, connections end with their response. */
export type Phase = 'starting' | 'open' | 'draining';

export interface SenderOptions {
  readonly app: Application;
  readonly cors: CorsSettings;
  readonly phase: () => Phase;
  /** The headers of every answer that has no own ones of these names. */
  readonly standing: RawHeaders;
}

/** The headers of an answer that is JSON. */
export const JSON_TYPE: RawHeaders = ['content-type', 'application/json; charset=utf-8'];

export function createSender({ app: { hooks, logger }, cors, standing, phase }: SenderOptions): Sender {
  const { onResponse, onError } = hooks;

  const send: Sender['send'] = (request, { status, headers, body, byteLength = lengthOf(body) }) => {
    const { exchange } = request;
    if (phase() === 'draining') exchange.endsConnection = true;
    const all = [...headers];
    if (!isBodiless(status)) all.push('content-length', String(byteLength));
    exchange.send(status, addAlways(all, request), body);
    told(request, status);
    return undefined;
  };

  const sendStream: Sender['sendStream'] = (request, { status, headers, body }) => {
    const { requestId } = request;
    body.on('error', (error) => {
      if (request.signal.aborted) return;
      const message = `[capix] ${request.method} ${request.path} failed while its answer was being sent`;
      logger.error(message, { requestId, error });
    });
    request.watchLeave();
    if (phase() === 'draining') request.exchange.endsConnection = true;
    try {
      request.exchange.sendStream(status, addAlways([...headers], request), body);
    } catch (thrown) {
      body.destroy();
      throw thrown;
    }
    told(request, status);
  };

  const report: Sender['report'] = (request, failure) => {
    const { requestId, method, path, capability } = request;
    if (failure.unexpected === true) {
      logger.error(`[capix] ${method} ${path} failed`, { requestId, error: failure.cause });
    }
    onError?.({ request, capability, failure, error: failure.cause });
  };

  function addAlways(headers: string[], request: RestRequest): RawHeaders {
    const own =
      standing.length === 0 ? standing : standing.filter((_, at) => !hasName(headers, standing[at - (at % 2)]));
    headers.push('x-request-id', request.requestId, ...cors.headersFor(originOf(request)), ...own);
    if (request.routeHeaders !== undefined) headers.push(...request.routeHeaders);
    return headers;
  }

  function told(request: RestRequest, status: number): void {
    const { capability, startedAtMs } = request;
    onResponse?.({ request, capability, status, durationMs: performance.now() - startedAtMs });
  }

  return { send, sendStream, report };
}

function hasName(headers: RawHeaders, name: string | undefined): boolean {
  return headers.some((text, at) => at % 2 === 0 && text.toLowerCase() === name);
}

export function originOf(request: RestRequest): string | undefined {
  return request.exchange.headers['origin'] as string | undefined;
}

function lengthOf(body: string | Uint8Array | undefined): number {
  if (body === undefined) return 0;
  return typeof body === 'string' ? Buffer.byteLength(body) : body.byteLength;
}

/** The content of an answer, made of a handler's value. Headers are without those of every answer. */
export type HandlerContent =
  /** `value` goes into the envelope. */
  | { readonly kind: 'data'; readonly status: number; readonly headers: RawHeaders; readonly value: unknown }
  | {
      readonly kind: 'bytes';
      readonly status: number;
      readonly headers: RawHeaders;
      readonly bytes: string | Uint8Array | undefined;
    }
  | { readonly kind: 'stream'; readonly status: number; readonly headers: RawHeaders; readonly stream: Readable }
  | {
      readonly kind: 'events';
      readonly status: number;
      readonly headers: RawHeaders;
      readonly items: AsyncIterable<unknown>;
    };

/** Whether a value is surely plain data: asked first, because nearly every value is. */
export function isPlainData(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return true;
  return Object.getPrototypeOf(value) === Object.prototype && !isReply(value) && !(Symbol.asyncIterator in value);
}

/** `reply(…)`, a `Response`, bytes, a stream of Node or the web, an async iterable; anything else is data. */
export function toHandlerContent(value: unknown): HandlerContent {
  if (!isReply(value)) return toContent(value, 200, []);
  const { data, status = 200 } = value;
  const headers = toRawHeaders(Object.entries(value.headers));
  if (isBodiless(status) || isRedirect(status, headers)) {
    discardValue(data);
    return { kind: 'bytes', status, headers, bytes: undefined };
  }
  if (typeof data === 'string' && headers.includes('content-type'))
    return { kind: 'bytes', status, headers, bytes: data };
  return toContent(data, status, headers);
}

/** An answer that says where to go has nothing else to say. */
function isRedirect(status: number, headers: RawHeaders): boolean {
  return status >= 300 && status < 400 && headers.includes('location');
}

/** Statuses whose answers have no body. */
export function isBodiless(status: number): boolean {
  return status === 204 || status === 205 || status === 304;
}

const BINARY: RawHeaders = ['content-type', 'application/octet-stream'];

function toContent(value: unknown, status: number, headers: RawHeaders): HandlerContent {
  if (typeof value !== 'object' || value === null) return { kind: 'data', status, headers, value };
  if (isResponse(value)) return toResponseContent(value, headers);
  const typed = headers.includes('content-type') ? headers : [...BINARY, ...headers];
  if (value instanceof Uint8Array) return { kind: 'bytes', status, headers: typed, bytes: value };
  const stream = findStream(value);
  if (stream !== undefined) return { kind: 'stream', status, headers: typed, stream };
  if (Symbol.asyncIterator in value) return { kind: 'events', status, headers, items: value as AsyncIterable<unknown> };
  return { kind: 'data', status, headers, value };
}

function toResponseContent(response: Response, more: RawHeaders): HandlerContent {
  if (response.status === 0) throw new TypeError('The handler returned Response.error(), which is not an answer.');
  // The body that fetch gives has been decoded, whatever its headers still say.
  const own =
    response.url === '' ? response.headers : [...response.headers].filter(([name]) => name !== 'content-encoding');
  const headers = [...toRawHeaders(own), ...more];
  if (response.body === null || isBodiless(response.status))
    return { kind: 'bytes', status: response.status, headers, bytes: undefined };
  return {
    kind: 'stream',
    status: response.status,
    headers,
    stream: Readable.fromWeb(response.body as Parameters<typeof Readable.fromWeb>[0]),
  };
}

function findStream(value: object): Readable | undefined {
  const stream = value as { readonly pipe?: unknown; readonly read?: unknown; readonly getReader?: unknown };
  if (typeof stream.pipe === 'function' && typeof stream.read === 'function') return toByteStream(value as Readable);
  return typeof stream.getReader === 'function'
    ? Readable.fromWeb(value as Parameters<typeof Readable.fromWeb>[0])
    : undefined;
}

/** A stream of texts or bytes as values fails at the first that is neither, where it can be caught. */
function toByteStream(stream: Readable): Readable {
  if (!stream.readableObjectMode || stream.destroyed) return stream;
  // Whoever iterates it hears of its fault, which would end the process until then.
  stream.on('error', () => {});
  return Readable.from(stream, { objectMode: false }).once('close', () => stream.destroy());
}

/** The headers that the transport itself sets, whatever a handler says. */
const OWN_HEADERS: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'keep-alive',
  'proxy-connection',
  'transfer-encoding',
  'upgrade',
  'x-request-id',
]);

function toRawHeaders(headers: Iterable<readonly [string, string | readonly string[]]>): string[] {
  const raw: string[] = [];
  for (const [name, value] of headers) {
    const lower = name.toLowerCase();
    if (OWN_HEADERS.has(lower)) continue;
    for (const each of typeof value === 'string' ? [value] : value) raw.push(lower, each);
  }
  return raw;
}
