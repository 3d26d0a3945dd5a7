import { findJsonFault } from './find-json-fault.ts';
import { dropUnsafeKeys } from './is-unsafe-key.ts';

/** The value in a part of a form that is JSON, without unsafe keys; undefined where it is not JSON or nested too deep. */
export function parseJsonPart(text: string): { readonly value: unknown } | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null) return { value };
  const fault = findJsonFault(value, text);
  if (fault === 'too deep') return undefined;
  if (fault === 'unsafe keys') dropUnsafeKeys(value);
  return { value };
}
