// The public surface of `capix/cookies`.

export { type Cookie, type CookieOptions, defineCookie } from './define-cookie.ts';
