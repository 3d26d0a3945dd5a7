import type { RestRequest } from './rest-request.ts';

/**
 * Whether a form was sent by a page of another site, which a browser does without asking first, and with the cookies of this one. Browsers say so
 * in `Sec-Fetch-Site`, older ones in `Origin`; who says neither is not a browser. Origins that `cors` names may, and so may a request with a
 * token: a browser adds none by itself, and asks before a page may.
 */
export function isForeignForm({ exchange: { headers } }: RestRequest, trusts: (origin: string) => boolean): boolean {
  const site = headers['sec-fetch-site'];
  const origin = headers['origin'];
  if (site === 'same-origin' || site === 'none') return false;
  if (site === undefined && (origin === undefined || toHost(String(origin)) === headers['host'])) return false;
  if (typeof origin === 'string' && trusts(origin)) return false;
  const credential = headers['authorization'];
  return typeof credential !== 'string' || addedByBrowsers.test(credential);
}

/** The schemes of credentials that a browser sends again without being told to. */
const addedByBrowsers = /^\s*(basic|digest|negotiate|ntlm)\b/i;

function toHost(origin: string): string {
  return origin.slice(origin.indexOf('://') + '://'.length);
}
