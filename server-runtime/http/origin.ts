import type { IncomingHttpHeaders } from 'node:http';
import { defaultErrors } from '../errors/define-error.ts';
import { type Failure, failure } from '../errors/failure.ts';
import type { Cors } from './cors.ts';

const { BadRequest, Forbidden } = defaultErrors;

/**
 * Whether a page of another site sent a request for which browsers send no preflight: one that is not JSON, or an
 * upgrade. Browsers send the origin in `Sec-Fetch-Site` or, older ones, in `Origin`; a caller without either is not a
 * browser.
 */
function isFromAnotherSite(
  { host = '', origin, 'sec-fetch-site': site }: IncomingHttpHeaders,
  trusts: (origin: string) => boolean,
): boolean {
  if (site === 'same-origin' || site === 'none') return false;
  const isOwnPage = origin === undefined || origin.split('://')[1] === host;
  if (site === undefined && isOwnPage) return false;
  return origin === undefined || !trusts(origin);
}

interface Change {
  /** Whether it has a body that is a form. */
  readonly isForm: boolean;
  /** Whether the operation changes something. */
  readonly isChange: boolean;
  readonly trusts: (origin: string) => boolean;
}

/**
 * Refuses a request that a page of another site makes a browser send in the name of its user: a form, or a change
 * without a body. Browsers add cookies by themselves, and passwords that the user has typed. They do not add tokens:
 * before a page may send one, they send a preflight.
 */
export function refuseForeignChange(
  headers: IncomingHttpHeaders,
  { isForm, isChange, trusts }: Change,
): Failure | undefined {
  if (!isFromAnotherSite(headers, trusts)) return undefined;
  const { cookie, authorization } = headers;
  const isPassword = hasPassword(headers);
  const isOfUser = isPassword || cookie !== undefined;
  const hasNoToken = isPassword || authorization === undefined;
  if ((isChange && isOfUser) || (isForm && hasNoToken))
    return failure(Forbidden, 'Changes that pages of other sites ask for are not accepted');
  return undefined;
}

/**
 * Whether a page may open a WebSocket, for which browsers send no preflight: a page of this host, or of an origin that
 * is named. Where every origin may read, any page may, but without the credentials that a browser adds for its user.
 */
export function admitsPage(
  headers: IncomingHttpHeaders,
  { trusts, isForAll }: Pick<Cors, 'trusts' | 'isForAll'>,
): boolean {
  const { host = '', origin, cookie } = headers;
  if (origin === undefined || origin.split('://')[1] === host || trusts(origin)) return true;
  return isForAll && cookie === undefined && !hasPassword(headers);
}

/** Whether the request has a password that the browser got from its user, and now sends by itself. */
function hasPassword({ authorization = '' }: IncomingHttpHeaders): boolean {
  return /^\s*(basic|digest|negotiate|ntlm)\b/i.test(authorization);
}

/** The names of this machine, as a URL writes them. */
const localNames: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Refuses a request for a host that is not one of this server. A page elsewhere can point a name of its own at this
 * machine (DNS rebinding), and read the answers of a server here.
 */
export function refuseForeignHost(
  host: string,
  allowedHosts: readonly string[],
): Failure | undefined {
  if (/[@/?#\\\s]/.test(host))
    return failure(BadRequest, 'The Host is not a name with or without a port.');
  const name = toHostname(`http://${host}`);
  if (name !== undefined && [...localNames, ...allowedHosts].includes(name)) return undefined;
  const message = `The Host '${host}' is not one of this server. Name it in allowedHosts.`;
  return failure(Forbidden, message);
}

/** Whether the pages of an origin are those of this machine. */
export function isLocalOrigin(origin: string): boolean {
  const name = toHostname(origin);
  return name !== undefined && localNames.includes(name);
}

function toHostname(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).hostname : undefined;
}
