import type { ErrorMeta } from '../errors/define-error.ts';

/** One wrong field: `{path: 'email', message, code: 'invalid_format', received: 'x'}`. The root's path is `''`. */
export interface FieldProblem {
  /** Names and indexes with dots between them: `address.city`, `tags.0`. */
  readonly path: string;
  readonly message: string;
  /** The kind of the problem, as zod names it: `invalid_type`. */
  readonly code: string;
  /** The text, number or boolean that was sent, cut where it is long; absent where its name looks like a secret's. */
  readonly received?: unknown;
}

/** The longest text, in characters, that an answer repeats to the caller. */
const MAX_LENGTH = 200;

/** A value in a form that may go back to its sender. Objects and lists are described by the message alone. */
export function toReceived(value: unknown): unknown {
  if (typeof value === 'string') return cutReceived(value, MAX_LENGTH);
  return typeof value === 'number' || typeof value === 'boolean' || value === null
    ? value
    : undefined;
}

export function findSent(input: unknown, path: readonly PropertyKey[]): unknown {
  let value = input;
  for (const step of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step))
      return undefined;
    value = (value as Readonly<Record<PropertyKey, unknown>>)[step];
  }
  return value;
}

export function cutReceived(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}…` : text;
}

/**
 * Whether a field, header or parameter of this name holds something that no answer, log or screen should show. Other
 * secrets are declared: see `isDeclaredSecret`.
 */
export function looksSecret(name: string): boolean {
  if (secretParts.test(name)) return true;
  // Most names have no such letters, and splitting a name into words takes longer.
  return secretLetters.test(name) && secretWords.test(` ${toWords(name)} `);
}

const secretParts = new RegExp(
  'passw|passphrase|token|secret|authori[sz]ation|cookie|credential|mnemonic|' +
    '(api|private|access|encryption|signing)[-_]?key',
  'i',
);

const secretWords =
  / (pwd|pass|otp|totp|pin|jwt|sid|session id|signature|auth|cvv|cvc|ssn|seed phrase) /;

/** The letters of the first of those words. */
const secretLetters = /pwd|pass|otp|pin|jwt|sid|session|signature|auth|cvv|cvc|ssn|seed/i;

/** `sessionId`, `session-id` and `a.SESSION_ID` as `session id`. */
function toWords(name: string): string {
  return name
    .replaceAll(/([a-z\d])(?=[A-Z])/g, '$1 ')
    .replaceAll(/[^A-Za-z\d]+/g, ' ')
    .toLowerCase();
}

/** Whether a schema marks its value as a secret: `z.string().meta({ format: 'password' })`, or `{ secret: true }`. */
export function isDeclaredSecret(json: object): boolean {
  return Reflect.get(json, 'format') === 'password' || Reflect.get(json, 'secret') === true;
}

/** The wrong fields that a refusal lists, the number of others, and its further facts. */
export function toShownMeta(meta: ErrorMeta = {}): {
  fields: FieldProblem[];
  omitted: number;
  facts: ErrorMeta;
} {
  const { issues: _texts, fields, omitted = 0, ...facts } = meta;
  // An application may have a fact of that name, too.
  const isOwn = Array.isArray(fields) && fields.every(isFieldProblem);
  if (!isOwn) return { fields: [], omitted: 0, facts: meta };
  return { fields, omitted: Number(omitted), facts };
}

function isFieldProblem(value: unknown): value is FieldProblem {
  const { path, message } = Object(value) as Partial<FieldProblem>;
  return typeof path === 'string' && typeof message === 'string';
}
