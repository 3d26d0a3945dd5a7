/** The length from which a secret cannot be tried out: 32 characters. */
const MIN_SECRET_LENGTH = 32;

const FAULTS: unique symbol = Symbol.for('capix.securityFaults');

/** All copies of the package in a process share the faults, as `capix/cookies` and `capix` may be two. */
function faults(): Map<string, string> {
  const shared = globalThis as { [FAULTS]?: Map<string, string> };
  shared[FAULTS] ??= new Map();
  return shared[FAULTS];
}

/**
 * Notes the fault of a security option while a module is loaded, or that the option is sound. Loading does not fail,
 * because tools load the code without secrets; a server with a fault does not start. The last note of an owner counts,
 * so that a module may be loaded again.
 */
export function noteSecurity(owner: string, fault: string | undefined): void {
  if (fault === undefined) faults().delete(owner);
  else faults().set(owner, fault);
}

/** The faults that modules of this process have noted, as sentences. */
export function findSecurityFaults(): readonly string[] {
  return [...faults().values()];
}

/** Called before a server answers anybody. @throws TypeError that names every option of security that is wrong */
export function expectSecurity(): void {
  const found = findSecurityFaults();
  if (found.length > 0) throw new TypeError(found.join('\n'));
}

/**
 * Finds why secrets cannot be used. `secrets[0]` signs; the secrets behind it are earlier ones. The reason shows no
 * secret.
 */
export function findSecretsFault(option: string, secrets: unknown): string | undefined {
  if (!Array.isArray(secrets) || secrets.length === 0)
    return toFault(option, 'expected a list with a secret', toWords(secrets));
  const texts: readonly unknown[] = secrets;
  const wrong = texts.findIndex((each) => typeof each !== 'string' || each === '');
  if (wrong !== -1)
    return toFault(`${option}[${wrong}]`, 'expected a secret', toWords(texts[wrong]));
  return findSecretFault(`${option}[0]`, texts[0]);
}

/** Finds why a secret cannot be used, without showing it. */
export function findSecretFault(option: string, secret: unknown): string | undefined {
  if (typeof secret === 'string' && secret.length >= MIN_SECRET_LENGTH) return undefined;
  const expected = `expected a secret of at least ${MIN_SECRET_LENGTH} characters`;
  return toFault(option, expected, toWords(secret));
}

/** Finds an entry that is not a text in a list of allowed names, such as hosts and origins. */
export function findNamesFault(option: string, names: unknown): string | undefined {
  if (names === undefined) return undefined;
  if (!Array.isArray(names)) return toFault(option, 'expected a list of names', toWords(names));
  const wrong = names.findIndex((each) => typeof each !== 'string' || each === '');
  if (wrong === -1) return undefined;
  return toFault(`${option}[${wrong}]`, 'expected a name', toWords(names[wrong]));
}

/** Finds an option that is written down and has no value: it would count as if it were absent. */
export function findUnsetFault(options: object, name: string, owner: string): string | undefined {
  if (!Object.hasOwn(options, name) || Reflect.get(options, name) !== undefined) return undefined;
  return toFault(`${owner}.${name}`, 'expected a value, or no such option', 'undefined');
}

/** Finds a value that is not a function in an option that decides about access. */
export function findDecisionFault(
  options: object,
  name: string,
  owner: string,
): string | undefined {
  const value: unknown = Reflect.get(options, name);
  if (!Object.hasOwn(options, name) || typeof value === 'function') return undefined;
  return toFault(`${owner} ${name}`, 'expected a function, or no such option', toWords(value));
}

function toFault(option: string, expected: string, found: string): string {
  const isUnset = found === 'undefined' || found === 'an empty text' || found === 'an empty list';
  const isShort = found.startsWith('a text of');
  const cause = isUnset ? ' Is a variable of the environment not set?' : '';
  const remedy = isShort ? ' `openssl rand -base64 32` makes one.' : '';
  return `${option}: ${expected}, got ${found}.${cause}${remedy}`;
}

/** Describes a value without showing it, since it may be a secret. */
function toWords(value: unknown): string {
  if (value === undefined || value === null) return String(value);
  if (value === '') return 'an empty text';
  if (typeof value === 'string') return `a text of ${value.length}`;
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list';
  return `a value of the type ${typeof value}`;
}
