import { parse, type SerializeOptions, serialize } from 'cookie';
import { sign, unsign } from 'cookie-signature';
import { expectKnownOptions } from '../errors/expect-options.ts';

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

const known = { secrets: true, maxAge: true, path: true, domain: true, secure: true, httpOnly: true, sameSite: true };

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
 * @throws TypeError for an unknown option, an empty secret, and a name or attributes that cannot be sent, or that
 * browsers drop
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
  expectKnownOptions('defineCookie', options, known);
  const { secrets = [], ...attributes } = options;
  if (secrets.includes('')) throw new TypeError('defineCookie secrets: expected texts that are not empty.');
  const sent = { path: '/', secure: true, httpOnly: true, sameSite: 'lax', ...attributes } as const;
  // Browsers drop others without a word: section 4.1.3 of draft-ietf-httpbis-rfc6265bis.
  const isHost = /^__host-/i.test(name) && (sent.path !== '/' || sent.domain !== undefined);
  if (isHost || (/^__(host|secure)-/i.test(name) && !sent.secure))
    throw new TypeError(
      `defineCookie ${name}: a cookie of this name is secure; as __Host- it has the path / and no domain.`,
    );
  const { maxAge } = attributes;
  const [secret] = secrets;
  const toHeader = (value: string, more = {}): string =>
    serialize(name, value, { ...(sent as SerializeOptions), ...more });
  // A name that cannot be sent is told where it is written, and not at the first request.
  toHeader('');
  return Object.freeze({
    name,
    read: ({ cookie }: { readonly cookie?: string | undefined }) => {
      const value = cookie === undefined ? undefined : parse(cookie)[name];
      if (value === undefined || secret === undefined) return value;
      const plain = secrets.map((each) => unsign(`${name}=${value}`, each)).find((each) => each !== false);
      const [, signed, end] = /^[^=]*=(.*)\.(\d*)$/s.exec(plain || '') ?? [];
      return end === '' || Number(end) > Date.now() / 1000 ? signed : undefined;
    },
    set: (value: string) => {
      if (secret === undefined) return toHeader(value);
      // `value.end.signature`: the end in seconds since 1970, or empty. The signature covers the cookie's name, too.
      const end = maxAge === undefined ? '' : Math.floor(Date.now() / 1000) + maxAge;
      return toHeader(sign(`${name}=${value}.${end}`, secret).slice(name.length + 1));
    },
    clear: () => toHeader('', { maxAge: 0 }),
  });
}
