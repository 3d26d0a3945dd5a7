import { defaultErrors } from '../errors/default-errors.ts';
import { failure, type Outcome } from '../errors/failure.ts';

/** The deepest nesting of an input. What follows walks an input by recursion. */
export const MAX_INPUT_DEPTH = 64;

/**
 * The input without unsafe keys, or the refusal of one that is nested too deep, found by one walk of plain objects and
 * arrays. What has an unsafe key is copied: it may be the caller's own object.
 */
export function toSafeInput(
  input: unknown,
  subject: 'The request body' | 'The message' | 'The input' = 'The input',
  levels = MAX_INPUT_DEPTH,
): Outcome {
  const found = walk(input, levels);
  if (found !== 'too deep') return { ok: true, value: found === 'unsafe key' ? withoutUnsafeKeys(input) : input };
  return { ok: false, failure: failure(defaultErrors.BadRequest, `${subject} is nested deeper than ${levels} levels`) };
}

/** Whether a key could reach a prototype; such keys never get to a handler. */
export function isUnsafeKey(key: string): boolean {
  return key === '__proto__' || key === 'constructor' || key === 'prototype';
}

type Fault = 'too deep' | 'unsafe key' | undefined;

/** Walks by `for … in`, which makes no list of the values. */
function walk(value: unknown, levels: number): Fault {
  if (!isPlain(value)) return undefined;
  if (levels === 0) return 'too deep';
  let found: Fault;
  if (Array.isArray(value)) {
    for (const item of value as readonly unknown[]) {
      const inside = typeof item === 'object' ? walk(item, levels - 1) : undefined;
      if (inside === 'too deep') return inside;
      found ??= inside;
    }
    return found;
  }
  for (const key in value) {
    const item = value[key];
    const inside = typeof item === 'object' ? walk(item, levels - 1) : undefined;
    if (inside === 'too deep') return inside;
    found ??= isUnsafeKey(key) ? 'unsafe key' : inside;
  }
  return found;
}

function withoutUnsafeKeys(value: unknown): unknown {
  if (!isPlain(value)) return value;
  if (Array.isArray(value)) return value.map(withoutUnsafeKeys);
  const safe = Object.entries(value).filter(([key]) => !isUnsafeKey(key));
  return Object.fromEntries(safe.map(([key, item]) => [key, withoutUnsafeKeys(item)]));
}

function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null || Array.isArray(value);
}
