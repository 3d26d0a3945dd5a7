import { parse, serialize } from 'cookie';
import { sign, unsign } from 'cookie-signature';
import { expectKnownOptions, type OptionNames } from '../errors/expect-options.ts';

/** The attributes of a cookie. */
export interface CookieOptions {
  /** Signs the value, its name and its end, by the first; any of them is accepted. @default unsigned */
  readonly secrets?: readonly string[] | undefined;
  /** The time that a browser keeps it and a signed value counts, seconds. @default until the browser is closed */
  readonly maxAge?: number | undefined;
  /** The path below which it is sent. @default '/' */
  readonly path?: string | undefined;
  /** The domain to which it is sent, with those below it. @default the host that set it */
  readonly domain?: string | undefined;
  /** Whether it is sent by TLS alone, and to localhost. @default true */
  readonly secure?: boolean | undefined;
  /** Whether scripts of a page cannot read it. @default true */
  readonly httpOnly?: boolean | undefined;
  /** The requests from other sites with which it is sent. @default 'lax' */
  readonly sameSite?: 'strict' | 'lax' | 'none' | undefined;
}

const optionNames: OptionNames<CookieOptions> = {
  secrets: true,
  maxAge: true,
  path: true,
  domain: true,
  secure: true,
  httpOnly: true,
  sameSite: true,
};

/** A cookie that a server reads and sets. */
export interface Cookie {
  /** The name by which it is sent. */
  readonly name: string;
  /** The value that a request brings; undefined where it brings none, and where the signature is not one of ours. */
  read(headers: { readonly cookie?: string | undefined }): string | undefined;
  /** The text of a `Set-Cookie` header that sets it. */
  set(value: string): string;
  /** The text of a `Set-Cookie` header that removes it. */
  clear(): string;
}

/**
 * Defines a cookie. Read it in the context builder, and set it by a header of a `reply`.
 *
 * @throws TypeError for an option that there is not, for an empty secret, for a name or attribute that cannot be sent,
 * and for attributes with which browsers drop a cookie whose name begins with `__Host-` or `__Secure-`
 *
 * @example
 * ```ts
 * import { defineCookie } from 'capix/cookies';
 *
 * const session = defineCookie('session', { secrets: ['a long random text'], maxAge: 86_400 });
 *
 * export const context = defineContext(({ headers }) => ({ userId: session.read(headers) }));
 * export const signOut = capability(() => reply(null, { headers: { 'set-cookie': session.clear() } }));
 * ```
 */
export function defineCookie(name: string, options: CookieOptions = {}): Cookie {
  expectKnownOptions('defineCookie', options, optionNames);
  const { secrets = [], path = '/', secure = true, httpOnly = true, sameSite = 'lax', maxAge, domain } = options;
  if (secrets.includes('')) throw new TypeError('defineCookie secrets: expected texts that are not empty.');
  expectPrefixRules(name, { secure, path, domain });
  const [secret] = secrets;
  const attributes = { path, secure, httpOnly, sameSite, ...(domain === undefined ? {} : { domain }) };
  const toHeader = (value: string, seconds = maxAge): string =>
    serialize(name, value, { ...attributes, ...(seconds === undefined ? {} : { maxAge: seconds }) });
  // A name that cannot be sent is told where it is written, and not at the first request.
  toHeader('');
  return Object.freeze({
    name,
    read: ({ cookie }: { readonly cookie?: string | undefined }) => {
      const value = cookie === undefined ? undefined : parse(cookie)[name];
      if (value === undefined || secret === undefined) return value;
      return readSigned(name, value, secrets);
    },
    set: (value: string) => toHeader(secret === undefined ? value : toSigned(name, value, { secret, maxAge })),
    clear: () => toHeader('', 0),
  });
}

/** `value.end.signature`: `end` in seconds since 1970, or empty. The signature covers the cookie's name, too. */
function toSigned(
  name: string,
  value: string,
  { secret, maxAge }: { readonly secret: string; readonly maxAge: number | undefined },
): string {
  const end = maxAge === undefined ? '' : Math.floor(Date.now() / 1000) + maxAge;
  return sign(`${name}=${value}.${end}`, secret).slice(name.length + 1);
}

function readSigned(name: string, signed: string, secrets: readonly string[]): string | undefined {
  const plain = secrets.map((secret) => unsign(`${name}=${signed}`, secret)).find((each) => each !== false);
  const [, value, end] = /^[^=]*=(.*)\.(\d*)$/s.exec(plain || '') ?? [];
  return end === '' || Number(end) > Date.now() / 1000 ? value : undefined;
}

/** The rules by which browsers drop a cookie without a word: section 4.1.3 of draft-ietf-httpbis-rfc6265bis. */
function expectPrefixRules(name: string, { secure, path, domain }: CookieOptions): void {
  const [, prefix] = /^(__host-|__secure-)/i.exec(name.toLowerCase()) ?? [];
  if (prefix !== undefined && !secure)
    throw new TypeError(`defineCookie ${name}: a cookie of this name is secure; leave out \`secure: false\`.`);
  if (prefix === '__host-' && (path !== '/' || domain !== undefined))
    throw new TypeError(`defineCookie ${name}: a cookie of this name has the path / and no domain; leave both out.`);
}
