import { parse, serialize } from 'cookie';
import { sign, unsign } from 'cookie-signature';
import { expectKnownOptions, type OptionNames } from '../errors/expect-known-options.ts';

/** The attributes of a cookie. */
export interface CookieOptions {
  /** Signs the value, by the first; any of them is accepted, so that they can be replaced one after the other. @default unsigned */
  readonly secrets?: readonly string[] | undefined;
  /** The time that a browser keeps it, seconds. @default until the browser is closed */
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
 * @throws TypeError for an option that there is not, for an empty secret, and for a name or attribute that cannot be sent
 *
 * @example
 * ```ts
 * import { defineCookie } from 'capix/cookies';
 *
 * const session = defineCookie('session', { secrets: ['a long random text'], maxAge: 86_400 });
 *
 * export const context = defineContext(({ headers }) => ({ userId: session.read(headers) }));
 * export const signIn = capability(() => reply({ name: 'Ada' }, { headers: { 'set-cookie': session.set('7') } }));
 * export const signOut = capability(() => reply(null, { headers: { 'set-cookie': session.clear() } }));
 * ```
 */
export function defineCookie(name: string, options: CookieOptions = {}): Cookie {
  expectKnownOptions('defineCookie', options, optionNames);
  const { secrets = [], path = '/', secure = true, httpOnly = true, sameSite = 'lax', maxAge, domain } = options;
  if (secrets.includes('')) throw new TypeError('defineCookie secrets: expected texts that are not empty.');
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
      return secrets.map((each) => unsign(value, each)).find((plain): plain is string => plain !== false);
    },
    set: (value: string) => toHeader(secret === undefined ? value : sign(value, secret)),
    clear: () => toHeader('', 0),
  });
}
