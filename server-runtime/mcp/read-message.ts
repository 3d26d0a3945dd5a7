import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import { MAX_INPUT_DEPTH, toSafeInput } from '../input/safe-input.ts';

/** A message of the protocol, or the error that its sender gets in place of a response. */
export type ReadMessage =
  | { readonly ok: true; readonly message: JSONRPCMessage }
  | { readonly ok: false; readonly refusal: Refusal };

export interface Refusal {
  readonly jsonrpc: '2.0';
  readonly id: string | number | null;
  readonly error: { readonly code: number; readonly message: string };
}

const PARSE_ERROR = -32_700;
export const INVALID_REQUEST = -32_600;
/** An input stands in `params.arguments` of its message. */
const MAX_MESSAGE_DEPTH = 2 + MAX_INPUT_DEPTH;

/**
 * Reads a text that is to be a message, without unsafe keys. The refusal has the id of the message where it can be
 * read. This is the one walk of an input before its schema: nothing behind it looks at its depth again.
 */
export function readMessage(text: string): ReadMessage {
  let message: unknown;
  try {
    message = JSON.parse(text) as unknown;
  } catch {
    return refuse(undefined, PARSE_ERROR, 'The message is not JSON.');
  }
  if (typeof message !== 'object' || message === null)
    return refuse(message, INVALID_REQUEST, 'The message is not a JSON object.');
  const safe = toSafeInput(message, 'The message', MAX_MESSAGE_DEPTH);
  return safe.ok
    ? { ok: true, message: safe.value as JSONRPCMessage }
    : refuse(message, INVALID_REQUEST, `${safe.failure.message}.`);
}

/** The error that the sender of a text or a value gets, by the id in it. */
export function toRefusal(message: unknown, code: number, reason: string): Refusal {
  const { id } = Object(message) as { readonly id?: unknown };
  const known = typeof id === 'string' || typeof id === 'number' ? id : null;
  return { jsonrpc: '2.0', id: known, error: { code, message: reason } };
}

function refuse(message: unknown, code: number, reason: string): ReadMessage {
  return { ok: false, refusal: toRefusal(message, code, reason) };
}
