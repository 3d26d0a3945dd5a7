import { isDeepStrictEqual } from 'node:util';
import type { AuthInfo } from '@modelcontextprotocol/server';

/** Who opened a session, or sends a message of it. */
export interface SessionOwner {
  readonly authorization: string | null;
  /** The value that `authorize` gave; undefined where everybody may ask. */
  readonly identity: unknown;
}

export function toOwner({ headers }: Request, { extra }: AuthInfo): SessionOwner {
  return { authorization: headers.get('authorization'), identity: extra?.['identity'] };
}

/**
 * Whether two messages are of the same caller: by the token, or by an identity that says the same. An instance of a
 * class may hide what tells two callers apart, so that it is equal to itself alone.
 */
export function isSameOwner(one: SessionOwner, other: SessionOwner): boolean {
  if (one.authorization !== null && one.authorization === other.authorization) return true;
  if (Object.is(one.identity, other.identity)) return true;
  const [first, second] = [toLastingFacts(one.identity), toLastingFacts(other.identity)];
  return first !== undefined && isDeepStrictEqual(first, second);
}

/** The claims of a JSON Web Token that another token of the same person has others of. */
const CLAIMS_OF_A_TOKEN: ReadonlySet<string> = new Set(['exp', 'iat', 'nbf', 'jti', 'auth_time']);

/** Undefined for what is no plain object. */
function toLastingFacts(identity: unknown): object | undefined {
  if (typeof identity !== 'object' || identity === null) return undefined;
  if (![Object.prototype, null].includes(Object.getPrototypeOf(identity) as object | null)) return undefined;
  return Object.fromEntries(Object.entries(identity).filter(([name]) => !CLAIMS_OF_A_TOKEN.has(name)));
}
