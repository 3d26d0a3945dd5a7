import type { Readable } from 'node:stream';
import type { Failure } from '../../errors/failure.ts';
import type { RawHeaders } from '../../http/exchange.ts';
import type { Application } from '../../server/application.ts';
import type { CorsSettings } from '../cors-settings.ts';
import type { RestRequest } from '../rest-request.ts';
import { isBodiless } from './handler-content.ts';

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
