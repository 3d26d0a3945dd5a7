import { isUtf8 } from 'node:buffer';
import { defaultErrors } from '../errors/define-error.ts';
import { failure, type Outcome } from '../errors/failure.ts';

/** The deepest nesting of an input. Later steps walk an input by recursion. */
export const MAX_INPUT_DEPTH = 64;

/** The object in a JSON body, without unsafe keys; an empty body is `{}`. Anything else is 400 `BadRequest`. */
export function parseJsonBody(bytes: Buffer): Outcome<Record<string, unknown>> {
  const parsed: Outcome =
    bytes.length === 0 ? { ok: true, value: {} } : parseJson(bytes, 'The request body');
  const value = parsed.ok ? parsed.value : {};
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return parsed as Outcome<Record<string, unknown>>;
  return refuse(`The request body must be a JSON object, got ${toTypeWords(value)}`);
}

/** The words for a value that is not an object, for errors: `null`, `an array`, `a string`. */
export function toTypeWords(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'an array' : `a ${typeof value}`;
}

/** The value of a JSON text, without unsafe keys; 400 for bad UTF-8, bad JSON, and values that are nested too deep. */
export function parseJson(bytes: Buffer, subject: string): Outcome {
  const text = bytes.toString('utf8');
  // Bytes that are not UTF-8 become this character, which a text may also hold as itself.
  if (text.includes('\ufffd') && !isUtf8(bytes)) return refuse(`${subject} is not valid UTF-8`);
  let value: unknown;
  try {
    value = JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
  } catch (error) {
    return refuse(`${subject} is not valid JSON`, { reason: toReason(error) });
  }
  return toSafeInput(value, subject);
}

/** V8's words without the excerpt of the text, which may hold a secret. */
function toReason(error: unknown): string {
  const reason =
    /^(?:Unexpected end of JSON input|(?:Expected [^"]*?|(?:Bad|Unterminated) [a-z ]+ )in JSON at position \d+)/;
  return reason.exec((error as Error).message)?.[0] ?? 'Unexpected token';
}

/** The input without unsafe keys, in a copy where it has any, or the refusal of one that is nested too deep. */
export function toSafeInput(
  input: unknown,
  subject = 'The input',
  levels = MAX_INPUT_DEPTH,
): Outcome {
  const found = walk(input, levels);
  if (found === 'too deep') return refuse(`${subject} is nested deeper than ${levels} levels`);
  return { ok: true, value: found === 'unsafe key' ? withoutUnsafeKeys(input) : input };
}

function refuse(message: string, meta?: Readonly<Record<string, unknown>>): Outcome<never> {
  return { ok: false, failure: failure(defaultErrors.BadRequest, message, meta) };
}

/** Whether a key could reach a prototype; such keys never get to a handler. */
export function isUnsafeKey(key: string): boolean {
  return key === '__proto__' || key === 'constructor' || key === 'prototype';
}

type Unsafe = 'too deep' | 'unsafe key' | undefined;

/** The fault of a value, at any depth. Every input passes here, so the walk makes no lists and no closures. */
function walk(value: unknown, levels: number): Unsafe {
  if (!isPlain(value)) return undefined;
  if (levels === 0) return 'too deep';
  return Array.isArray(value) ? walkList(value, levels - 1) : walkObject(value, levels - 1);
}

function walkList(list: readonly unknown[], levels: number): Unsafe {
  let found: Unsafe;
  for (const item of list) {
    const inside = typeof item === 'object' ? walk(item, levels) : undefined;
    if (inside === 'too deep') return inside;
    found ??= inside;
  }
  return found;
}

/** Walks by `for … in`, which makes no list of the values. */
function walkObject(object: Readonly<Record<string, unknown>>, levels: number): Unsafe {
  let found: Unsafe;
  for (const key in object) {
    const item = object[key];
    const inside = typeof item === 'object' ? walk(item, levels) : undefined;
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
