import type { IncomingHttpHeaders } from 'node:http';
import { type CallHeaders, findHeaderFault, toCallHeaders } from '../http/sockets/call-headers.ts';
import { toTypeWords } from '../input/safe-input.ts';

/** The name of a call, which its answer and its items repeat. */
export type CallId = string | number;

/** A call; without an id, nothing of it is sent back. */
export interface CallMessage {
  readonly kind: 'call';
  readonly id: CallId | undefined;
  /** The key of the capability. */
  readonly method: string;
  readonly params: unknown;
  /** The headers of this call alone. */
  readonly headers: CallHeaders | undefined;
  /** The number of items that may be sent before the caller asks for more; undefined for any. */
  readonly window: number | undefined;
}

/** `$/headers`: the headers of all calls from now on; null takes one away. */
export interface HeadersMessage {
  readonly kind: 'headers';
  readonly id: CallId | undefined;
  readonly changes: Readonly<Record<string, string | null>>;
}

/** A message of a client: a call, a control message about a call or the connection, or an invalid one. */
export type Message =
  | CallMessage
  | HeadersMessage
  | { readonly kind: 'cancel'; readonly id: CallId }
  | { readonly kind: 'more'; readonly id: CallId; readonly count: number }
  | { readonly kind: 'ping'; readonly id: CallId | undefined }
  | { readonly kind: 'unknown' }
  | Refused;

/** A message that cannot be taken. `isBroken` where it is not even a request. */
export interface Refused {
  readonly kind: 'refused';
  readonly id: CallId | undefined;
  readonly code: number;
  readonly text: string;
  readonly isBroken: boolean;
}

/** What every message has, and what it must not change. */
interface Envelope {
  readonly method: string;
  readonly id: CallId | undefined;
  readonly opened: IncomingHttpHeaders;
}

type Fields = Readonly<Record<string, unknown>>;

/** The longest name of a call, and the longest key of a capability: longer ones would be repeated, or be in the log. */
const MAX_ID_LENGTH = 256;
const MAX_METHOD_LENGTH = 1000;

/** Reads a message of JSON-RPC 2.0. `opened`: the headers of the request for the connection. Never throws. */
export function parseMessage(text: string, opened: IncomingHttpHeaders): Message {
  let sent: unknown;
  try {
    sent = JSON.parse(text);
  } catch {
    return broken('The message is not valid JSON', { code: -32_700 });
  }
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent))
    return broken(`A message must be one JSON object, got ${toTypeWords(sent)}`);
  const { jsonrpc, method, id } = sent as Fields;
  if (jsonrpc !== '2.0' || typeof method !== 'string')
    return broken('A message must have `jsonrpc`, which is "2.0", and `method`, which is a text');
  if (!isId(id))
    return broken(
      `The \`id\` must be a text of at most ${MAX_ID_LENGTH} characters or a safe integer`,
    );
  if (method.length > MAX_METHOD_LENGTH)
    return refused(id, 'There is no capability with so long a key', -32_601);
  if (method.startsWith('$')) return parseControl(sent as Fields, { method, id, opened });
  return parseCall(sent, { id, opened });
}

function parseCall(sent: object, { id, opened }: Omit<Envelope, 'method'>): Message {
  const { method, params, headers, window } = sent as Fields;
  if (
    params !== undefined &&
    (typeof params !== 'object' || params === null || Array.isArray(params))
  )
    return refused(id, `The \`params\` must be an object, got ${toTypeWords(params)}`, -32_602);
  const fault = findHeaderFault(headers, { mayRemove: false, opened });
  if (fault !== undefined) return refused(id, fault);
  if (window !== undefined && !isCount(window))
    return refused(id, 'The `window` must be an integer of at least 1');
  return {
    kind: 'call',
    id,
    method: method as string,
    params,
    headers: headers === undefined ? undefined : toCallHeaders(headers as CallHeaders),
    window,
  };
}

function parseControl({ params = {} }: Fields, { method, id, opened }: Envelope): Message {
  switch (method) {
    case '$/cancel':
    case '$/more':
      return parseOfCall(method, params);
    case '$/headers': {
      const fault = findHeaderFault(params, { mayRemove: true, opened });
      if (fault !== undefined) return refused(id, fault);
      const changes = toCallHeaders(params as HeadersMessage['changes']);
      return { kind: 'headers', id, changes };
    }
    case '$/ping':
      return { kind: 'ping', id };
    default:
      // Newer clients may say more, which needs no answer.
      return id === undefined ? { kind: 'unknown' } : refused(id, `There is no ${method}`, -32_601);
  }
}

/** A word about an open call. */
function parseOfCall(method: '$/cancel' | '$/more', params: unknown): Message {
  const { id, count } = Object(params) as Fields;
  if (!isId(id) || id === undefined)
    return broken(`The params of ${method} must have the \`id\` of a call`);
  if (method === '$/cancel') return { kind: 'cancel', id };
  if (!isCount(count)) return broken('The `count` of $/more must be an integer of at least 1');
  return { kind: 'more', id, count };
}

function isId(id: unknown): id is CallId | undefined {
  if (typeof id === 'string') return id.length <= MAX_ID_LENGTH;
  return id === undefined || Number.isSafeInteger(id);
}

function isCount(count: unknown): count is number {
  return Number.isSafeInteger(count) && (count as number) >= 1;
}

/** A message that is not a request. It belongs to no call. */
function broken(text: string, { code = -32_600 } = {}): Refused {
  return { kind: 'refused', id: undefined, code, text, isBroken: true };
}

/** A request that cannot be taken. */
function refused(id: CallId | undefined, text: string, code = -32_600): Refused {
  return { kind: 'refused', id, code, text, isBroken: false };
}
