import type { ServerResponse } from 'node:http';
import * as sdk from '@modelcontextprotocol/server';

/** Proxies end a connection on which nothing comes. */
const ALIVE_MS = 15_000;

/**
 * The transport of one session. Nearly all requests come over node:http and are answered on its responses; the other
 * messages take the SDK's way, through `Request` and `Response`.
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
    const event = `event: message\ndata: ${JSON.stringify(message)}\n\n`;
    if (isLast) this.#end(id, event);
    else this.#write(id, event);
  }

  override closeSSEStream(id: sdk.RequestId): void {
    super.closeSSEStream(id);
    this.#end(id);
  }

  override async close(): Promise<void> {
    this.#isClosed = true;
    for (const id of this.#responses.keys()) this.#end(id);
    await super.close();
  }

  #write(id: sdk.RequestId, text: string): void {
    const response = this.#responses.get(id);
    if (response?.headersSent === false) response.writeHead(200, this.#toHead());
    response?.write(text);
  }

  /** Ends a response, which goes out as a whole where nothing was written before. */
  #end(id: sdk.RequestId, text = ''): void {
    const response = this.#responses.get(id);
    this.#responses.delete(id);
    if (response?.headersSent === false)
      response.writeHead(200, {
        ...this.#toHead(),
        'content-length': Buffer.byteLength(text),
      });
    response?.end(text);
  }

  #toHead(): Record<string, string> {
    return {
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-transform',
      connection: 'keep-alive',
      'x-accel-buffering': 'no',
      'mcp-session-id': this.sessionId ?? '',
    };
  }

  /** As a client does that still listens: a caller that closes the connection has no use for the result. */
  #cancel(requestId: sdk.RequestId): void {
    this.#responses.delete(requestId);
    this.onmessage?.({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } });
  }
}

/** Whether a message is a request of a revision with sessions: these name nothing of the protocol in each request. */
function isPlainRequest(message: sdk.JSONRPCMessage): message is sdk.JSONRPCRequest {
  if (!sdk.isJSONRPCRequest(message) || message.method === 'initialize') return false;
  const names = Object.keys(message.params?._meta ?? {});
  return !names.some((name) => name.startsWith('io.modelcontextprotocol/'));
}
