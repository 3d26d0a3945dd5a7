import { randomUUID } from 'node:crypto';
import * as sdk from '@modelcontextprotocol/server';
import type { Logger } from '../server/logger.ts';
import { type WidenedRequest, widenRequest } from './accepted-form.ts';
import { type RpcMessage, readMessage } from './read-message.ts';
import type { ServerMaker } from './server-maker.ts';
import { SessionTransport } from './session-transport.ts';
import type { Sessions } from './sessions.ts';

export interface EndpointParts {
  readonly createMcpServer: ServerMaker;
  readonly bus?: sdk.ServerEventBus | undefined;
  readonly logger?: Logger;
}

/** Answers the messages of a caller that has been admitted. */
type Endpoint = (request: Request, caller: sdk.AuthInfo) => Promise<Response>;

/** Each request is a conversation of its own, except in the sessions of older clients. `over` ends the open streams. */
export function createEndpoint(
  { createMcpServer, bus }: EndpointParts,
  sessions: Sessions,
  over: AbortSignal,
): Endpoint {
  const handler = sdk.createMcpHandler(() => createMcpServer('request'), bus && { bus });
  over.addEventListener('abort', () => sessions.closeStreams());

  return async (sent, caller) => {
    const widened = widenRequest(sent);
    const request = widened?.request ?? sent;
    const { headers, method: verb } = request;
    const sessionId = headers.get('mcp-session-id');
    const session = sessions.find(sessionId, caller);
    // A message of an unknown session is responded to without one: another instance may know it.
    const mayBeElsewhere = !sessions.has(sessionId) && (verb === 'POST' || sessionId === null);
    if (session === undefined && !mayBeElsewhere) {
      const error = { code: -32_001, message: 'Session not found' };
      return Response.json({ jsonrpc: '2.0', error, id: null }, { status: 404 });
    }
    if (verb !== 'POST' || !sdk.isJsonContentType(headers.get('content-type')))
      return session === undefined ? handler.fetch(request) : session.handleRequest(request);
    const text = await readText(request);
    if (text === undefined) return Response.json(tooLong, { status: 413 });
    const read = readMessage(text);
    if (!read.ok) return Response.json(read.refusal, { status: 400 });
    const received = { request, message: read.message, caller };
    return toAccepted(await respond(received, session), read.message, widened);
  };

  async function respond(
    received: Received,
    session: SessionTransport | undefined,
  ): Promise<Response> {
    const { request, message } = received;
    if (session !== undefined && (await sdk.isLegacyRequest(request, message)))
      return answerInSession(session, received);
    return sdk.isInitializeRequest(message) ? openSession(received) : answerAlone(received);
  }

  async function openSession({ request, message, caller }: Received): Promise<Response> {
    const opened = new SessionTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => sessions.add(id, { transport: opened, owner: caller }),
    });
    await createMcpServer('session').connect(opened);
    return opened.handleRequest(request, { authInfo: caller, parsedBody: message });
  }

  async function answerAlone({ request, message, caller }: Received): Promise<Response> {
    const options = { authInfo: caller, parsedBody: message };
    if (message.method !== 'subscriptions/listen') return handler.fetch(request, options);
    const { url, method, headers } = request;
    const signal = AbortSignal.any([request.signal, over]);
    return handler.fetch(new Request(url, { method, headers, signal }), options);
  }
}

/** What the SDK reads of a request of node:http. It sets no limit to one of fetch. */
export const MAX_BYTES = 4 * 1024 * 1024;
const tooLong = {
  jsonrpc: '2.0',
  error: { code: -32_600, message: 'A message may have 4 MiB.' },
  id: null,
};

/** The text of a message; undefined where it is too long, and then its rest is not read. */
async function readText(request: Request): Promise<string | undefined> {
  const length = Number(request.headers.get('content-length') ?? Number.NaN);
  if (length <= MAX_BYTES) return request.text();
  if (length > MAX_BYTES) return undefined;
  const decoder = new TextDecoder();
  let bytes = 0;
  let text = '';
  // Leaving the loop cancels the body.
  for await (const chunk of (request.body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) return undefined;
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

/** The response in the form that its caller takes. A subscription has no end, and so no form but events. */
function toAccepted(
  response: Response,
  { id, method }: Received['message'],
  widened: WidenedRequest | undefined,
): Response | Promise<Response> {
  if (widened === undefined || method === 'subscriptions/listen') return response;
  return widened.toAccepted(response, id);
}

/** A message and its sender. */
interface Received {
  readonly request: Request;
  readonly message: RpcMessage;
  readonly caller: sdk.AuthInfo;
}

async function answerInSession(
  session: SessionTransport,
  { request, message, caller }: Received,
): Promise<Response> {
  const response = await session.handleRequest(request, { authInfo: caller, parsedBody: message });
  // The SDK sends nothing for a cancelled call, so its response would stay open.
  const { method, params } = message;
  if (method === 'notifications/cancelled' && params?.requestId !== undefined)
    session.closeSSEStream(params.requestId);
  return response;
}
