import type { ErrorMeta } from '../errors/define-error.ts';

/** One wrong field: `{path: 'email', message, code: 'invalid_format', received: 'x'}`. The root's path is `''`. */
export interface FieldProblem {
  /** Names and indexes with dots between them: `address.city`, `tags.0`. */
  readonly path: string;
  readonly message: string;
  /** The kind of the problem, as zod names it: `invalid_type`. */
  readonly code: string;
  /** The value that was sent, cut where it is long; absent where its name looks like that of a secret. */
  readonly received?: unknown;
}

/** The longest value, in characters, that an answer repeats to the caller. */
const MAX_LENGTH = 200;

/** A value fit to be sent back to who sent it, with its secrets masked; undefined where it cannot be. */
export function toReceived(value: unknown): unknown {
  if (typeof value === 'string') return cutReceived(value, MAX_LENGTH);
  if (typeof value === 'number' || typeof value === 'boolean' || value === undefined) return value;
  let left = MAX_LENGTH;
  try {
    // Each value takes a character at least: what stands behind the part that is shown is not looked at.
    const text = JSON.stringify(
      value,
      function toExcerpt(this: Readonly<Record<string, unknown>>, name, each: unknown) {
        left = Math.max(0, left - 1);
        if (looksSecret(name)) return '***';
        if (ArrayBuffer.isView(this[name])) return '[binary]';
        if (typeof each === 'bigint') return String(each);
        if (typeof each === 'string' || Array.isArray(each)) return each.slice(0, MAX_LENGTH + 1);
        if (typeof each !== 'object' || each === null) return each;
        return Object.fromEntries(Object.entries(each).slice(0, left));
      },
    );
    return text.length > MAX_LENGTH ? cutReceived(text, MAX_LENGTH) : (JSON.parse(text) as unknown);
  } catch {
    // A value of the application itself may refuse to be looked at.
    return undefined;
  }
}

export function findSent(input: unknown, path: readonly PropertyKey[]): unknown {
  let value = input;
  for (const step of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
    value = (value as Readonly<Record<PropertyKey, unknown>>)[step];
  }
  return value;
}

export function cutReceived(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}…` : text;
}

/** Whether a field or header of this name holds something that no answer, log or screen should show. */
export function looksSecret(name: string): boolean {
  return /passw|passphrase|token|secret|authori[sz]ation|cookie|credential|api[-_]?key|private[-_]?key/i.test(name);
}

type ToldMeta = { fields: readonly FieldProblem[]; omitted: number; facts: ErrorMeta };

export function toToldMeta(meta: ErrorMeta = {}): ToldMeta {
  const { issues: _texts, fields, omitted = 0, ...facts } = meta;
  if (!Array.isArray(fields)) return { fields: [], omitted: 0, facts: meta };
  return { fields: fields as readonly FieldProblem[], omitted: Number(omitted), facts };
}
