import type { ServerResponse } from 'node:http';
import * as sdk from '@modelcontextprotocol/server';

/** Proxies end a connection on which nothing comes. */
const ALIVE_MS = 15_000;

/**
 * The transport of one session. It answers a request of node:http on its response; the SDK's own transport, which needs
 * a `Request` and a `Response`, answers all other messages.
 */
export class SessionTransport extends sdk.WebStandardStreamableHTTPServerTransport {
  /** The responses that are under way, by the ids of their requests. */
  readonly #responses = new Map<sdk.RequestId, ServerResponse>();
  #isClosed = false;

  /** Answers a message; false for one that the SDK has to answer, by another revision or with a refusal. */
  answer(message: sdk.JSONRPCMessage, authInfo: sdk.AuthInfo, response: ServerResponse): boolean {
    if (this.#isClosed || !isPlainRequest(message) || this.#responses.has(message.id)) return false;
    const { id } = message;
    this.#responses.set(id, response);
    const alive = setInterval(() => this.#write(id, ': keepalive\n\n'), ALIVE_MS).unref();
    response.once('close', () => {
      clearInterval(alive);
      if (this.#responses.get(id) === response) this.#cancel(id);
    });
    this.onmessage?.(message, { authInfo });
    return true;
  }

  override async send(
    message: sdk.JSONRPCMessage,
    options?: { relatedRequestId?: sdk.RequestId },
  ): Promise<void> {
    const isLast = !('method' in message);
    const id = isLast ? message.id : options?.relatedRequestId;
    if (id === undefined || !this.#responses.has(id)) return super.send(message, options);
    this.#write(id, `event: message\ndata: ${JSON.stringify(message)}\n\n`, isLast);
  }

  override closeSSEStream(id: sdk.RequestId): void {
    super.closeSSEStream(id);
    this.#write(id, '', true);
  }

  override async close(): Promise<void> {
    this.#isClosed = true;
    for (const id of this.#responses.keys()) this.#write(id, '', true);
    await super.close();
  }

  /** A response that is ended with its first text goes out as a whole. */
  #write(id: sdk.RequestId, text: string, isLast = false): void {
    const response = this.#responses.get(id);
    if (isLast) this.#responses.delete(id);
    if (response?.headersSent === false)
      response.writeHead(200, {
        'content-type': 'text/event-stream',
        'cache-control': 'no-cache, no-transform',
        connection: 'keep-alive',
        'x-accel-buffering': 'no',
        'mcp-session-id': this.sessionId,
        ...(isLast && { 'content-length': Buffer.byteLength(text) }),
      });
    if (isLast) response?.end(text);
    else response?.write(text);
  }

  /** As a client does that still listens: a caller that closes the connection has no use for the result. */
  #cancel(requestId: sdk.RequestId): void {
    this.#responses.delete(requestId);
    this.onmessage?.({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } });
  }
}

/** Whether a message is a request of a revision with sessions: these name nothing of the protocol in each request. */
function isPlainRequest(body: sdk.JSONRPCMessage): body is sdk.JSONRPCRequest {
  const found = sdk.classifyInboundRequest({ httpMethod: 'POST', body });
  return found.kind === 'legacy' && found.reason === 'no-claim';
}
