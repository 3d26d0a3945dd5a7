import type { Server as HttpServer, IncomingMessage, ServerResponse } from 'node:http';
import { type NodeIncomingMessageLike, toNodeHandler } from '@modelcontextprotocol/node';
import { isJsonContentType, SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/server';
import { readBytes, runInTurn } from '../http/exchange.ts';
import { createListener, nodeHttp } from '../http/node-http.ts';
import { replacedSignal } from '../server/dev-link.ts';
import type { FetchInfo } from '../server/guests.ts';
import { createEndpoint, type EndpointParts, MAX_BYTES } from './endpoint.ts';
import { createGate, type GateAnswer, toJsonAnswer } from './gate.ts';
import type { McpOptions } from './options.ts';
import { readMessage } from './read-message.ts';
import { Sessions } from './sessions.ts';

export interface HttpServing {
  readonly url: string | undefined;
  /** False for a request at a path that is not of the protocol. */
  readonly take: (request: IncomingMessage, response: ServerResponse) => boolean;
  /** The same for fetch: undefined for such a request. */
  readonly fetch: (request: Request, info: FetchInfo) => Promise<Response> | undefined;
  readonly stop: (graceMs: number) => Promise<void>;
}

/** Streamable HTTP, on a server of its own, or by `take` and `fetch` on a server of the application. */
export async function serveHttp(options: McpOptions, parts: EndpointParts): Promise<HttpServing> {
  const { port = 3001, path = '/mcp' } = options;
  const { logger } = parts;
  const over = new AbortController();
  // Under `capix dev` a stream that has no end must not keep the code that was replaced.
  const sessions = new Sessions();
  const respond = createEndpoint(parts, sessions, AbortSignal.any([over.signal, replacedSignal()]));
  const gate = createGate(options, { logger, over: over.signal });

  const take: HttpServing['take'] = (request, response) => {
    if (!gate.isOwn(toPath(request.url))) return false;
    answerNode(request, response).catch((error: unknown) => {
      logger?.error('[capix] A message could not be answered', { error });
      response.destroy();
    });
    return true;
  };

  async function answerNode(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url, headers, socket } = request;
    const { remoteAddress } = socket;
    const entry = await gate.enter({ method, path: toPath(url), headers, remoteAddress });
    setHeaders(gate.corsHeadersFor(headers), (name, value) => response.setHeader(name, value));
    if (entry.kind === 'answer') return sendAnswer(response, entry);
    const { caller } = entry;
    const session = isPlain(request)
      ? sessions.find(String(headers['mcp-session-id']), caller)
      : undefined;
    const read = session && readMessage(await readText(request));
    if (read?.ok === false) return sendAnswer(response, toJsonAnswer(400, read.refusal));
    const extra = { ...caller.extra, headers };
    if (read !== undefined && session?.answer(read.message, { ...caller, extra }, response)) return;
    await toNodeHandler({ fetch: (sent) => respond(sent, caller) })(
      request as NodeIncomingMessageLike,
      response,
      read?.message,
    );
  }

  async function answerFetch(request: Request, { remoteAddress }: FetchInfo): Promise<Response> {
    const { pathname, host } = new URL(request.url);
    const headers = { host, ...Object.fromEntries(request.headers) };
    const entry = await gate.enter({
      method: request.method,
      path: pathname,
      headers,
      remoteAddress,
    });
    const response =
      entry.kind === 'admitted' ? await respond(request, entry.caller) : toResponse(entry);
    return withHeaders(response, gate.corsHeadersFor(headers));
  }

  const listener =
    port === false
      ? undefined
      : await createListener(createPathServer(path, take), {
          port,
          host: options.host ?? '127.0.0.1',
        });
  return {
    url: listener && `${listener.address.url}${path}`,
    take,
    fetch: (request, info) =>
      gate.isOwn(new URL(request.url).pathname) ? answerFetch(request, info) : undefined,
    stop: async (graceMs) => {
      over.abort();
      await listener?.close(graceMs);
    },
  };
}

/** Whether a session may answer a request directly, by its head. The parser of a host may have read the body. */
function isPlain({ method, headers, readableEnded }: IncomingMessage): boolean {
  const { accept = '', 'content-type': type, 'mcp-protocol-version': version } = headers;
  return (
    method === 'POST' &&
    isJsonContentType(type) &&
    accept.includes('application/json') &&
    accept.includes('text/event-stream') &&
    (version === undefined || SUPPORTED_PROTOCOL_VERSIONS.includes(String(version))) &&
    Number(headers['content-length']) <= MAX_BYTES &&
    !readableEnded
  );
}

const decoder = new TextDecoder();

/** Never settles where the caller leaves. The head says how long the body is. */
async function readText(request: IncomingMessage): Promise<string> {
  const body = await new Promise((resolve) => readBytes(request, MAX_BYTES, resolve));
  return decoder.decode(body as Buffer);
}

function toPath(url = '/'): string {
  return url.split('?', 1)[0] ?? '/';
}

function sendAnswer(response: ServerResponse, { status, headers, body, isLast }: GateAnswer): void {
  if (isLast === true) response.shouldKeepAlive = false;
  setHeaders(headers, (name, value) => response.setHeader(name, value));
  response.writeHead(status).end(body);
}

function toResponse({ status, headers, body }: GateAnswer): Response {
  return withHeaders(new Response(body ?? null, { status }), headers);
}

/** A new response, since the headers of one may be read-only. */
function withHeaders(response: Response, more: readonly string[]): Response {
  const headers = new Headers(response.headers);
  setHeaders(more, (name, value) => headers.set(name, value));
  const { status, statusText, body } = response;
  return new Response(body, { status, statusText, headers });
}

/** Sets headers whose names and values stand in turn. */
function setHeaders(headers: readonly string[], set: (name: string, value: string) => void): void {
  for (let at = 0; at + 1 < headers.length; at += 2) set(headers[at] ?? '', headers[at + 1] ?? '');
}

function createPathServer(path: string, take: HttpServing['take']): HttpServer {
  const run = (request: IncomingMessage, response: ServerResponse): void => {
    if (take(request, response)) return;
    const error = { code: -32_000, message: `Not found. MCP is spoken at ${path}.` };
    const body = JSON.stringify({ jsonrpc: '2.0', error, id: null });
    response.writeHead(404, { 'content-type': 'application/json' }).end(body);
  };
  return nodeHttp().createServer((request, response) => runInTurn(request, response, run));
}
