import { isUtf8 } from 'node:buffer';
import { defaultErrors } from '../errors/default-errors.ts';
import { failure, type Outcome } from '../errors/failure.ts';
import { toSafeInput } from './safe-input.ts';

/** The object in a JSON body, without unsafe keys; an empty body is `{}`. Anything else is 400 `BadRequest`. */
export function parseJsonBody(bytes: Buffer): Outcome<Record<string, unknown>> {
  if (bytes.length === 0) return { ok: true, value: {} };
  const text = bytes.toString('utf8');
  // Bytes that are not UTF-8 become this character, which a body may also hold as itself.
  if (text.includes('\ufffd') && !isUtf8(bytes)) return refuse('The request body is not valid UTF-8');
  let value: unknown;
  try {
    value = JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
  } catch (error) {
    return refuse('The request body is not valid JSON', { reason: toReason(error) });
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return toSafeInput(value, 'The request body') as Outcome<Record<string, unknown>>;
  const got = value === null ? 'null' : Array.isArray(value) ? 'an array' : `a ${typeof value}`;
  return refuse(`The request body must be a JSON object, got ${got}`);
}

/** V8's words without the excerpt of the body, which may hold a secret. */
function toReason(error: unknown): string {
  const reason =
    /^(?:Unexpected end of JSON input|(?:Expected [^"]*?|(?:Bad|Unterminated) [a-z ]+ )in JSON at position \d+)/;
  return reason.exec((error as Error).message)?.[0] ?? 'Unexpected token';
}

function refuse(message: string, meta?: Readonly<Record<string, unknown>>): Outcome<never> {
  return { ok: false, failure: failure(defaultErrors.BadRequest, message, meta) };
}
