import { defaultErrors } from '../errors/define-error.ts';
import { type Failure, failure } from '../errors/failure.ts';
import { byKeyFormat } from '../http/by-key-format.ts';
import { dataEnvelope, type Envelope, toFailureBody } from '../http/envelope.ts';
import { toDataText, toJsonText } from '../server/to-json-text.ts';
import type { CallId } from './message.ts';

/** The form of data and of the meta of errors. */
export interface WireFormat {
  readonly envelope: Envelope;
  /** The JSON of data; `key` names the capability in errors. @throws TypeError for a value that cannot be sent */
  readonly toText: (value: unknown, key?: string) => string;
}

/** The forms by the subprotocol that asks for them: plain JSON, and for `createClient` what devalue flattens. */
export const formats: Readonly<Record<string, WireFormat>> = {
  'capix.v1.flat': byKeyFormat,
  'capix.v1': { envelope: dataEnvelope, toText: toDataText },
};

export const plainFormat = formats['capix.v1'] as WireFormat;

/** The answer of a call. `data` is JSON already. */
export function toResultText(id: CallId, data: string, status = 200): string {
  const more = status === 200 ? '' : `,"status":${status}`;
  return `{"jsonrpc":"2.0","id":${toIdText(id)},"result":${data}${more}}`;
}

function toIdText(id: CallId): string {
  return typeof id === 'number' ? String(id) : JSON.stringify(id);
}

/** The word that a call gives a stream; that of a query repeats where it is called again before its first item. */
export function toStreamText(id: CallId, status: number, isQuery: boolean): string {
  const params = {
    id,
    status: status === 200 ? undefined : status,
    repeats: isQuery ? true : undefined,
  };
  return JSON.stringify({ jsonrpc: '2.0', method: '$/stream', params });
}

interface ItemFields {
  readonly id?: string | undefined;
  readonly event?: string | undefined;
}

/** An item of a stream. `data` is JSON already. */
export function toItemText(id: CallId, data: string, fields: ItemFields = {}): string {
  const eventId = fields.id === undefined ? '' : `,"eventId":${JSON.stringify(fields.id)}`;
  const event = fields.event === undefined ? '' : `,"event":${JSON.stringify(fields.event)}`;
  const params = `{"id":${toIdText(id)},"data":${data}${eventId}${event}}`;
  return `{"jsonrpc":"2.0","method":"$/item","params":${params}}`;
}

/** The fault of a message that is not a call: `-32600`. */
export function toFaultText(id: CallId | undefined, code: number, message: string): string {
  const isUnknown = code === -32_601;
  const data = {
    error: isUnknown ? 'NotFound' : 'BadRequest',
    status: isUnknown ? 404 : 400,
  };
  return JSON.stringify({ jsonrpc: '2.0', id: id ?? null, error: { code, message, data } });
}

/** The answer to a client whose server stops: the call did not run, or the stream may continue elsewhere. */
export const leaves: Failure = failure(defaultErrors.ServiceUnavailable, 'The server is stopping');
/** The same for what has begun and would be done twice. */
export const breaksOff: Failure = { ...leaves };

/** The reason of a failure. @throws TypeError for a meta that cannot be sent */
export function toFailureText(id: CallId, reason: Failure, { envelope }: WireFormat): string {
  const { meta } = toFailureBody(envelope, reason) as { readonly meta?: unknown };
  const { name: error, status, message } = reason;
  const data = { error, status, meta, moves: reason === leaves ? true : undefined };
  const body = { code: toCode(reason), message, data };
  return toJsonText({ jsonrpc: '2.0', id, error: body }) as string;
}

/** The code of JSON-RPC where it has one, else the status. */
function toCode({ status, cause }: Failure): number {
  if (status === 500) return -32_603;
  // A refusal of the application has a cause.
  if (cause !== undefined) return status;
  if (status === 404) return -32_601;
  return status === 400 ? -32_602 : status;
}
