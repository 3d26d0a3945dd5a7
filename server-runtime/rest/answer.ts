import type { Failure } from '../errors/failure.ts';
import { toFailure } from '../errors/failure.ts';
import type { Application } from '../server/transport.ts';
import type { Cors } from './cors.ts';
import type { RawHeaders } from './exchange.ts';
import type { RestRequest } from './rest-request.ts';

/** Answers requests; each method is the end of one. */
export interface Answerer {
  /** 200 with the handler's value in the envelope. */
  readonly succeed: (request: RestRequest, key: string, value: unknown) => void;
  /** The failure in the envelope. `headers` come besides those of every answer. */
  readonly refuse: (request: RestRequest, key: string | undefined, failure: Failure, headers?: RawHeaders) => void;
  /** 204, to OPTIONS. */
  readonly preflight: (request: RestRequest, allow: readonly string[] | undefined) => void;
}

export interface AnswererOptions {
  readonly app: Application;
  readonly cors: Cors;
  /** Whether connections are to end with their answer. */
  readonly isDraining: () => boolean;
}

const JSON_TYPE = 'application/json; charset=utf-8';

export function toAnswerer({ app: { hooks, logger }, cors, isDraining }: AnswererOptions): Answerer {
  const { onResponse, onError } = hooks;

  function headersOf(request: RestRequest): string[] {
    const headers = ['x-request-id', request.requestId, ...cors.headersFor(request.exchange.headers['origin'] as string | undefined)];
    if (isDraining()) headers.push('connection', 'close');
    return headers;
  }
  function sendJson(request: RestRequest, status: number, text: string, more: RawHeaders): void {
    const headers = ['content-type', JSON_TYPE, 'content-length', String(Buffer.byteLength(text)), ...headersOf(request), ...more];
    request.exchange.send(status, headers, text);
  }
  function told(request: RestRequest, key: string | undefined, status: number): void {
    onResponse?.({ request, capability: key, status, durationMs: performance.now() - request.startedAtMs });
  }

  const refuse: Answerer['refuse'] = (request, key, failure, more = none) => {
    if (failure.unexpected === true) {
      logger.error(`[capix] ${request.method} ${request.path} failed`, { requestId: request.requestId, error: failure.cause });
    }
    onError?.({ request, capability: key, failure, error: failure.cause });
    const retry = failure.retryAfterSeconds === undefined ? none : ['retry-after', String(failure.retryAfterSeconds)];
    sendJson(request, failure.status, toErrorText(failure, logger), [...retry, ...more]);
    told(request, key, failure.status);
  };

  return {
    refuse,
    succeed: (request, key, value) => {
      let text: string;
      try {
        text = `{"data":${JSON.stringify(value) ?? 'null'}}`;
      } catch (error) {
        refuse(request, key, toFailure(new TypeError(`${key} returned a value that cannot be written as JSON.`, { cause: error })));
        return;
      }
      sendJson(request, 200, text, none);
      told(request, key, 200);
    },
    preflight: (request, allow) => {
      const headers = [...headersOf(request), ...cors.preflightHeadersFor(request.exchange.headers['origin'] as string | undefined)];
      if (allow !== undefined) headers.push('allow', allow.join(', '));
      request.exchange.send(204, headers, undefined);
      told(request, undefined, 204);
    },
  };
}

const none: RawHeaders = [];

/** `meta` comes from the application, and may hold what JSON cannot. */
function toErrorText({ name, message, meta }: Failure, logger: Application['logger']): string {
  try {
    return JSON.stringify({ error: name, message, meta });
  } catch (error) {
    logger.error(`[capix] The meta of ${name} cannot be written as JSON; it was left out.`, { error });
    return JSON.stringify({ error: name, message });
  }
}
