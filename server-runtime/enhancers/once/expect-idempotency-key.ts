import { findCallRequest } from '../../capability/middleware/call-request.ts';
import { defaultErrors } from '../../errors/default-errors.ts';

/** The key of a call: a string of structured fields, `"8e03978e-40d5"`, or the same without quotes. @throws BadRequest for anything else */
export function expectIdempotencyKey(ctx: unknown): string {
  const header = findCallRequest(ctx)?.headers['idempotency-key'];
  const text = String(header).trim();
  const quoted = /^"((?:[^"\\]|\\["\\])*)"$/.exec(text)?.[1]?.replace(/\\(.)/g, '$1');
  const key = quoted ?? text;
  if (
    key.length >= 1 &&
    key.length <= 255 &&
    /^[\x20-\x7e]+$/.test(key) &&
    (quoted !== undefined || !/["\\,\s]/.test(key))
  )
    return key;
  throw defaultErrors.BadRequest(
    'The header Idempotency-Key must be a quoted text of 1 to 255 visible characters, such as "8e03978e-40d5"',
  );
}
