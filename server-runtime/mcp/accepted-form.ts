import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/server';
import { parseWeights } from '../http/accept.ts';

const EVENTS = 'text/event-stream';
const JSON_TYPE = 'application/json';

/**
 * A request in the form that the SDK accepts, and the function that gives its response the form that the caller
 * accepts.
 */
export interface WidenedRequest {
  readonly request: Request;
  readonly toAccepted: (response: Response, id: RequestId | undefined) => Promise<Response>;
}

/**
 * The SDK refuses a request that does not accept both forms of a response, but proxies and clients send one of the two,
 * anything, or nothing. Undefined for a request that names both forms, and for one that accepts neither, which is
 * refused.
 */
export function widenRequest(sent: Request): WidenedRequest | undefined {
  const { takesEvents, takesJson } = findForms(sent);
  const accept = sent.headers.get('accept') ?? '';
  if ((accept.includes(EVENTS) && accept.includes(JSON_TYPE)) || !(takesEvents || takesJson))
    return undefined;
  // A client that accepts JSON alone cannot read a stream that never ends.
  if (sent.method === 'GET' && !takesEvents) return undefined;
  const headers = new Headers(sent.headers);
  headers.set('accept', `${JSON_TYPE}, ${EVENTS}`);
  return {
    request: new Request(sent, { headers }),
    toAccepted: async (response, id) => {
      if (takesEvents === takesJson || !response.ok || response.body === null) return response;
      const type = response.headers.get('content-type') ?? '';
      if (takesEvents && type.startsWith(JSON_TYPE))
        return withForm(response, EVENTS, `event: message\ndata: ${await response.text()}\n\n`);
      if (!takesJson || !type.startsWith(EVENTS)) return response;
      return withForm(response, JSON_TYPE, JSON.stringify(await findLast(response.body, id)));
    },
  };
}

/** A client that accepts everything, or sends no `Accept`, takes both. */
function findForms({ headers }: Request): { takesEvents: boolean; takesJson: boolean } {
  const weights = parseWeights(headers.get('accept') ?? '');
  const takes = (type: string): boolean => {
    const group = `${type.split('/', 1)[0]}/*`;
    const weight = weights.get(type) ?? weights.get(group) ?? weights.get('*/*');
    return weights.size === 0 || (weight ?? 0) > 0;
  };
  return { takesEvents: takes(EVENTS), takesJson: takes(JSON_TYPE) };
}

function withForm(response: Response, type: string, body: string): Response {
  const headers = new Headers(response.headers);
  headers.set('content-type', type);
  headers.delete('content-length');
  return new Response(body, { status: response.status, headers });
}

/** The answer from a stream of events: a response of JSON has no place for the other messages. */
async function findLast(
  events: ReadableStream<Uint8Array>,
  id: RequestId | undefined,
): Promise<object> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const bytes of events) {
    text += decoder.decode(bytes, { stream: true });
    const whole = text.split('\n\n');
    text = whole.pop() ?? '';
    for (const event of whole) {
      const message = toMessage(event);
      if (message === undefined) continue;
      if (!('method' in message)) return message;
      // The server asks the client a question that the client cannot answer.
      if ('id' in message)
        return toError(
          id,
          'The user must be asked, for which a client has to accept text/event-stream.',
        );
    }
  }
  return toError(id, 'The call ended without a response.');
}

function toMessage(event: string): JSONRPCMessage | undefined {
  const data = /^data: (.+)$/m.exec(event)?.[1];
  return data === undefined ? undefined : (JSON.parse(data) as JSONRPCMessage);
}

function toError(id: RequestId | undefined, message: string): object {
  return { jsonrpc: '2.0', id: id ?? null, error: { code: -32_000, message } };
}
