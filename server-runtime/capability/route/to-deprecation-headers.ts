import type { Deprecation } from '../capability-definition.ts';

/**
 * The headers of every answer of a capability that goes away: `Deprecation` (RFC 9745) of `since` and `Sunset` (RFC
 * 8594) of `sunset`. What is not a date is left out.
 */
export function toDeprecationHeaders({ since, sunset }: Deprecation = {}): readonly string[] {
  const [from, until] = [since, sunset].map((date) => (date === undefined ? Number.NaN : Date.parse(date)));
  return [
    ...(from === undefined || Number.isNaN(from) ? [] : ['deprecation', `@${Math.floor(from / 1000)}`]),
    ...(until === undefined || Number.isNaN(until) ? [] : ['sunset', new Date(until).toUTCString()]),
  ];
}
