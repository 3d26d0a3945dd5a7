import type { AnyGuard, SecurityScheme } from '../capability/guard.ts';
import type { Failure } from '../errors/failure.ts';
import { joinHeaders, toRawHeaders } from '../server/raw-headers.ts';
import type { RawHeaders } from './exchange.ts';

/** The headers of a refusal by these guards: those of the error itself, then those that its status and its meta add. */
export function toRefusalHeaders(
  { headers, retryAfterSeconds, status }: Pick<Failure, 'headers' | 'retryAfterSeconds' | 'status'>,
  guards: readonly AnyGuard[],
): RawHeaders {
  if (headers === undefined && retryAfterSeconds === undefined && status !== 401) return [];
  const own = toRawHeaders(Object.entries(headers ?? {}));
  const retry = retryAfterSeconds === undefined ? [] : ['retry-after', `${retryAfterSeconds}`];
  return joinHeaders(own, retry, status === 401 ? toChallenges(guards) : []);
}

/**
 * The challenges of a 401 (RFC 9110, 15.5.2): one for each credential that the guards declare, of which any one lets
 * the caller pass. Empty where they declare none: what would be accepted is not known then.
 */
function toChallenges(guards: readonly AnyGuard[]): RawHeaders {
  const challenges = new Set(guards.flatMap(({ security }) => security.map(toChallenge)));
  return [...challenges].flatMap((challenge) => ['www-authenticate', challenge]);
}

/** Basic has a realm by its own standard; keys have no registered scheme, and this is the name that others send. */
function toChallenge(security: SecurityScheme): string {
  switch (security.type) {
    case 'http':
      return toHttpChallenge(security.scheme);
    case 'apiKey':
      return 'ApiKey';
    case 'oauth2':
    case 'openIdConnect':
      return 'Bearer';
    default:
      return security satisfies never;
  }
}

/** Only characters of a token may stand there. */
function toHttpChallenge(scheme: string): string {
  const token = scheme.replace(/[^!#$%&'*+.^_`|~\w-]/g, '') || 'Bearer';
  const name = token.charAt(0).toUpperCase() + token.slice(1);
  return name === 'Basic' ? 'Basic realm="api", charset="UTF-8"' : name;
}
