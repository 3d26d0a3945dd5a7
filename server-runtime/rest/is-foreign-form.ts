import type { IncomingHttpHeaders } from 'node:http';

type Trusts = (origin: string) => boolean;

/**
 * Whether a page of another site sent a form, which a browser does without a preflight. A request with a token may: a browser adds none by
 * itself, and asks before a page may.
 */
export function isForeignForm(headers: IncomingHttpHeaders, trusts: Trusts): boolean {
  const { authorization } = headers;
  return (authorization === undefined || addedByBrowsers.test(authorization)) && isFromAnotherSite(headers, trusts);
}

/** Whether a page of another site sent a request without a body, with what a browser adds by itself: cookies, or a password it remembers. */
export function isForeignCall(headers: IncomingHttpHeaders, trusts: Trusts): boolean {
  const { cookie, authorization = '' } = headers;
  return (cookie !== undefined || addedByBrowsers.test(authorization)) && isFromAnotherSite(headers, trusts);
}

/**
 * Browsers say so in `Sec-Fetch-Site`, older ones in `Origin`; a caller that says neither is no browser. Origins that `cors` names are trusted.
 */
function isFromAnotherSite({ host, origin, 'sec-fetch-site': site }: IncomingHttpHeaders, trusts: Trusts): boolean {
  if (site === 'same-origin' || site === 'none') return false;
  if (site === undefined && (origin === undefined || origin.split('://')[1] === (host ?? ''))) return false;
  return origin === undefined || !trusts(origin);
}

/** The schemes of credentials that a browser sends again without being told to. */
const addedByBrowsers = /^\s*(basic|digest|negotiate|ntlm)\b/i;
