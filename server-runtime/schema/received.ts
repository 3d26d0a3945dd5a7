import type { ErrorMeta } from '../errors/define-error.ts';
import type { FieldProblem } from './validator.ts';

/** No value to show: there was none, or it is a secret. */
export const UNSEEN = Symbol('unseen');

/** The longest value, in characters, that an answer repeats to the caller. */
const MAX_LENGTH = 200;

/**
 * The value that the caller sent at `path`, fit to be sent back: at most 200 characters of it, and `UNSEEN` where it is
 * missing or where a name on the way looks secret or is too long for a name. Secrets inside an object are masked.
 */
export function toReceived(input: unknown, path: readonly PropertyKey[]): unknown {
  if (path.some((step) => String(step).length > MAX_LENGTH || looksSecret(String(step)))) return UNSEEN;
  const value = findSent(input, path);
  if (value === undefined || typeof value === 'function' || typeof value === 'symbol') return UNSEEN;
  if (typeof value === 'string') return cutReceived(value, MAX_LENGTH);
  if (typeof value !== 'object') return typeof value === 'bigint' ? String(value) : value;
  try {
    const text = JSON.stringify(toExcerpt(value, { left: MAX_LENGTH }));
    return text.length > MAX_LENGTH ? cutReceived(text, MAX_LENGTH) : (JSON.parse(text) as unknown);
  } catch {
    // A value of the application itself may refuse to be looked at.
    return UNSEEN;
  }
}

/** The value that a caller sent at `path`, own fields only; undefined where there is none. */
export function findSent(input: unknown, path: readonly PropertyKey[]): unknown {
  let value = input;
  for (const step of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
    value = (value as Readonly<Record<PropertyKey, unknown>>)[step];
  }
  return value;
}

/** At most `length` characters of a text, and a mark where there were more. */
export function cutReceived(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}…` : text;
}

/** A copy whose JSON is right as far as it is shown: each value takes a character at least, and `left` are shown. */
function toExcerpt(from: unknown, budget: { left: number }): unknown {
  budget.left--;
  if (typeof from === 'string') return from.slice(0, MAX_LENGTH + 1);
  if (typeof from === 'bigint') return String(from);
  if (typeof from !== 'object' || from === null) return from;
  if (ArrayBuffer.isView(from)) return '[binary]';
  if (from instanceof Date) return String(from.toJSON());
  const copy = (Array.isArray(from) ? [] : Object.create(null)) as Record<string, unknown>;
  for (const name in from) {
    if (budget.left-- <= 0) break;
    const isHidden = !Array.isArray(from) && looksSecret(name);
    copy[name.slice(0, MAX_LENGTH)] = isHidden ? '***' : toExcerpt((from as Record<string, unknown>)[name], budget);
  }
  return copy;
}

/** Whether a field or header of this name holds something that no answer, log or screen should show. */
export function looksSecret(name: string): boolean {
  return /passw|passphrase|token|secret|authori[sz]ation|cookie|credential|api[-_]?key|private[-_]?key/i.test(name);
}

/** The `meta` of a failure as it is told in words. */
export interface ToldMeta {
  /** Empty where it is not of a validation. */
  readonly fields: readonly FieldProblem[];
  /** The number of further wrong fields. */
  readonly omitted: number;
  /** Everything else. */
  readonly facts: ErrorMeta;
}

/** Tells the wrong fields of a validation from what an application says in its own errors. */
export function toToldMeta(meta: ErrorMeta = {}): ToldMeta {
  const { issues: _texts, fields, omitted = 0, ...facts } = meta;
  return Array.isArray(fields)
    ? { fields: fields as readonly FieldProblem[], omitted: Number(omitted), facts }
    : { fields: [], omitted: 0, facts: meta };
}
