import { decodePlain } from '../values/attempt.ts';
import type { RequestHeaders } from './perform-call.ts';

/**
 * The address of a server as a request names it, and what is sent to it with each one: user and password of the URL are
 * a header, as with curl. What follows `#` is for browsers.
 */
export function toServerAddress(address: string): {
  readonly url: string;
  readonly headers: RequestHeaders;
} {
  const url = address.replace(/#.*$/, '').replace(/^(https?:\/\/)[^/?]*@/i, '$1');
  if (!URL.canParse(address)) return { url, headers: {} };
  const { username, password } = new URL(address);
  if (username === '' && password === '') return { url, headers: {} };
  const caller = [username, password].map(decodePlain).join(':');
  return { url, headers: { authorization: `Basic ${Buffer.from(caller).toString('base64')}` } };
}
