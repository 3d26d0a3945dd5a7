import type { CapabilityDefinition } from '../capability/definition.ts';
import { defaultErrors } from '../errors/define-error.ts';
import { failure, type Outcome } from '../errors/failure.ts';

/**
 * Refuses an input of a message that is longer, as JSON, than the body of a request for the capability may be. The
 * protocol limits its messages; only a capability with a limit of its own is measured here.
 */
export function refuseLongInput(
  { maxBodySize }: Pick<CapabilityDefinition, 'maxBodySize'>,
  input: Outcome,
): Outcome {
  if (maxBodySize === undefined || !input.ok) return input;
  if (Buffer.byteLength(JSON.stringify(input.value) ?? '') <= maxBodySize) return input;
  const text = `The input is larger than ${maxBodySize} bytes`;
  return { ok: false, failure: failure(defaultErrors.PayloadTooLarge, text) };
}
