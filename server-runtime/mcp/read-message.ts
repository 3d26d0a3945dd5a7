import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import { MAX_INPUT_DEPTH, toSafeInput } from '../input/safe-input.ts';

/** A message of the protocol, or the error that its sender gets in place of a response. */
export type ReadMessage =
  | { readonly ok: true; readonly message: JSONRPCMessage }
  | { readonly ok: false; readonly refusal: object };

const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;
/** An input stands in `params.arguments` of its message. */
const MAX_MESSAGE_DEPTH = 2 + MAX_INPUT_DEPTH;

/**
 * Reads a text that is to be a message, without unsafe keys. This is the one walk of an input before its schema:
 * nothing behind it looks at its depth again.
 */
export function readMessage(text: string): ReadMessage {
  let message: unknown;
  try {
    message = JSON.parse(text) as unknown;
  } catch {
    return refuseMessage(undefined, 'The message is not JSON.', PARSE_ERROR);
  }
  if (typeof message !== 'object' || message === null)
    return refuseMessage(message, 'The message is not a JSON object.');
  const safe = toSafeInput(message, 'The message', MAX_MESSAGE_DEPTH);
  return safe.ok
    ? { ok: true, message: safe.value as JSONRPCMessage }
    : refuseMessage(message, `${safe.failure.message}.`);
}

/** The error has the id of the message where that can be read. */
export function refuseMessage(message: unknown, reason: string, code = INVALID_REQUEST): ReadMessage {
  const { id } = Object(message) as { readonly id?: unknown };
  const known = typeof id === 'string' || typeof id === 'number' ? id : null;
  return { ok: false, refusal: { jsonrpc: '2.0', id: known, error: { code, message: reason } } };
}
