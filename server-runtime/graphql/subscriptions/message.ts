import { parseJson, toTypeWords } from '../../input/safe-input.ts';

/** A message of a client, as `graphql-transport-ws` has it, or why it is none. */
export type ClientMessage =
  | { readonly type: 'connection_init'; readonly params: Readonly<Record<string, unknown>> }
  | { readonly type: 'ping' | 'pong' }
  | { readonly type: 'subscribe'; readonly id: string; readonly payload: unknown }
  | { readonly type: 'complete'; readonly id: string }
  | { readonly type: 'invalid'; readonly reason: string };

/** The longest name of an operation: a longer one would be repeated with each result. */
const MAX_ID_LENGTH = 256;

/** Reads a message. Never throws. */
export function parseClientMessage(bytes: Buffer): ClientMessage {
  const parsed = parseJson(bytes, 'The message');
  if (!parsed.ok) return toInvalid(parsed.failure.message);
  if (!isObject(parsed.value))
    return toInvalid(`A message is an object, got ${toTypeWords(parsed.value)}`);
  const { type, id, payload } = parsed.value;
  switch (type) {
    case 'connection_init':
      return { type, params: isObject(payload) ? payload : {} };
    case 'ping':
    case 'pong':
      return { type };
    case 'subscribe':
      return isId(id) ? { type, id, payload } : withoutId;
    case 'complete':
      return isId(id) ? { type, id } : withoutId;
    default:
      return toInvalid('The message has no type that a server takes');
  }
}

function isId(id: unknown): id is string {
  return typeof id === 'string' && id !== '' && id.length <= MAX_ID_LENGTH;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function toInvalid(reason: string): ClientMessage {
  return { type: 'invalid', reason };
}

const withoutId = toInvalid(`The id of an operation is a text of 1 to ${MAX_ID_LENGTH} characters`);
