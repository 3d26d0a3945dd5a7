import {
  INVALID_PARAMS,
  INVALID_REQUEST,
  type JSONRPCMessage,
  PARSE_ERROR,
  type RequestId,
} from '@modelcontextprotocol/server';
import { MAX_INPUT_DEPTH, parseJson, toSafeInput, toTypeWords } from '../input/safe-input.ts';

/** A message of the protocol, or the error that its sender gets in place of a response. */
type ReadMessage =
  | { readonly ok: true; readonly message: RpcMessage }
  | { readonly ok: false; readonly refusal: object };

export type RpcMessage = JSONRPCMessage & {
  readonly method?: string;
  readonly id?: RequestId;
  readonly params?: { readonly requestId?: RequestId };
};

/** An input stands in `params.arguments` of its message. */
const MAX_MESSAGE_DEPTH = 2 + MAX_INPUT_DEPTH;

/**
 * Reads a message without unsafe keys, so that later code need not walk the input again. `parse` throws for other JSON.
 */
export function readMessage(
  text: string,
  parse = (json: unknown) => json as JSONRPCMessage,
): ReadMessage {
  let json: unknown;
  try {
    json = JSON.parse(text);
    const safe = toSafeInput(json, 'The message', MAX_MESSAGE_DEPTH);
    if (!safe.ok) return refuse(json, `${safe.failure.message}.`);
    if (typeof json === 'object' && json !== null) {
      const message = withArguments(safe.value) as RpcMessage;
      const { arguments: sent = {} } = Object(message.params) as { readonly arguments?: unknown };
      if (!isObject(sent)) {
        const reason = `Send \`arguments\` as a JSON object, not as ${toTypeWords(sent)}.`;
        return refuse(json, reason, INVALID_PARAMS);
      }
      return { ok: true, message: parse(message) as RpcMessage };
    }
  } catch {
    if (json === undefined) return refuse(json, 'The message is not JSON.', PARSE_ERROR);
  }
  return refuse(json, "The message is neither a request nor a response of JSON-RPC '2.0'.");
}

/**
 * The message with an object as its arguments. Some clients send null for none (Go, Java and C# write an empty map so),
 * others the object as its JSON text: the SDK refuses both, and nothing else can be meant.
 */
function withArguments(message: unknown): unknown {
  const { params } = message as { readonly params?: unknown };
  if (!isObject(params)) return message;
  const { arguments: sent, ...others } = params;
  if (sent === null) return { ...(message as object), params: others };
  const parsed = typeof sent === 'string' ? parseJson(Buffer.from(sent), 'arguments') : undefined;
  if (parsed?.ok !== true || !isObject(parsed.value)) return message;
  return { ...(message as object), params: { ...others, arguments: parsed.value } };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function refuse(message: unknown, reason: string, code: number = INVALID_REQUEST): ReadMessage {
  const { id } = Object(message) as { readonly id?: unknown };
  const known = typeof id === 'string' || typeof id === 'number' ? id : null;
  return { ok: false, refusal: { jsonrpc: '2.0', id: known, error: { code, message: reason } } };
}
