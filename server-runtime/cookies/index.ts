// The public surface of `capix/cookies`.
import { type SerializeOptions, serialize } from 'cookie';
import { sign, unsign } from 'cookie-signature';
import { expectKnownOptions, type OptionNames } from '../errors/expect-options.ts';
import { findSecretsFault, noteSecurity } from '../errors/security-faults.ts';
import { parseCookies } from '../input/parse-cookies.ts';

/** The attributes of a cookie. */
export interface CookieOptions {
  /**
   * Signs the value, its name and its end, by the first, which has 32 characters or more; any of them is accepted.
   * Where one is missing no server starts, and until then nothing is read. @default unsigned, where it is not named
   */
  readonly secrets?: readonly string[];
  /** The time that a browser keeps it and a signed value counts, seconds. @default until the browser is closed */
  readonly maxAge?: number | undefined;
  /** @default '/' */
  readonly path?: string | undefined;
  /** @default the host that set it */
  readonly domain?: string | undefined;
  /** @default true */
  readonly secure?: boolean | undefined;
  /** @default true */
  readonly httpOnly?: boolean | undefined;
  /** @default 'lax' */
  readonly sameSite?: 'strict' | 'lax' | 'none' | undefined;
}

const cookieOptionNames: OptionNames<CookieOptions> = {
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
  /** The value in a request; undefined where there is none, and where its signature is not one of ours. */
  read(headers: { readonly cookie?: string | undefined }): string | undefined;
  /** The text of a `Set-Cookie` header that sets it. */
  set(value: string): string;
  /** The text of a `Set-Cookie` header that removes it. */
  clear(): string;
}

/**
 * Defines a cookie. A secret that is missing or short is an error when a server starts, because tools load this code
 * without secrets. @throws TypeError for a cookie that cannot be sent, or that browsers drop
 */
export function defineCookie(name: string, options: CookieOptions = {}): Cookie {
  expectKnownOptions('defineCookie', options, cookieOptionNames);
  const { secrets = [], ...attributes } = options;
  const isSigned = 'secrets' in options;
  const fault = isSigned
    ? findSecretsFault(`defineCookie ${name} secrets`, options.secrets)
    : undefined;
  noteSecurity(`defineCookie ${name}`, fault);
  const sent = { path: '/', secure: true, httpOnly: true, sameSite: 'lax', ...attributes } as const;
  // Browsers drop others without a word: section 4.1.3 of draft-ietf-httpbis-rfc6265bis.
  const isHost = /^__host-/i.test(name) && (sent.path !== '/' || sent.domain !== undefined);
  if (isHost || (/^__(host|secure)-/i.test(name) && !sent.secure))
    throw new TypeError(
      `defineCookie ${name}: a cookie of this name is secure; as __Host- it has the path / and no domain.`,
    );
  const { maxAge } = attributes;
  const [secret] = fault === undefined ? secrets : [];
  const toHeader = (value: string, more: SerializeOptions = {}): string =>
    serialize(name, value, { ...(sent as SerializeOptions), ...more });
  toHeader('');
  return {
    name,
    read: ({ cookie }) => {
      const value = parseCookies(cookie)[name];
      if (value === undefined || !isSigned) return value;
      if (fault !== undefined) return undefined;
      const plain = secrets
        .map((each) => unsign(`${name}=${value}`, each))
        .find((each) => each !== false);
      const { signed, end } = /^[^=]*=(?<signed>.*)\.(?<end>\d*)$/s.exec(plain || '')?.groups ?? {};
      const isLasting = end === '' || Number(end) > Date.now() / 1000;
      return isLasting ? signed : undefined;
    },
    set: (value) => {
      if (fault !== undefined) throw new TypeError(fault);
      if (secret === undefined) return toHeader(value);
      // `value.end.signature`: the end in seconds since 1970, or empty. The signature covers the cookie's name, too.
      const end = maxAge === undefined ? '' : Math.floor(Date.now() / 1000) + maxAge;
      return toHeader(sign(`${name}=${value}.${end}`, secret).slice(name.length + 1));
    },
    clear: () => toHeader('', { maxAge: 0 }),
  };
}
