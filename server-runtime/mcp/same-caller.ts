import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { AuthInfo } from '@modelcontextprotocol/server';

/** Whether two messages are from the same caller: by the token, or by an equal identity. */
export function isSameCaller(one: AuthInfo, other: AuthInfo): boolean {
  if (one.token !== '' && one.token === other.token) return true;
  const [identity, otherIdentity] = [one.extra?.['identity'], other.extra?.['identity']];
  return (
    identity === otherIdentity ||
    isDeepStrictEqual(toLastingFacts(identity), toLastingFacts(otherIdentity))
  );
}

/**
 * Whether two callers share one part of a limit for all callers: they have the same identity or, where no identity is
 * checked, the same address.
 */
export function sharesWith(one: AuthInfo, other: AuthInfo): boolean {
  const isKnown = one.extra?.['identity'] !== undefined;
  if (isKnown) return isSameCaller(one, other);
  return one.extra?.['remoteAddress'] === other.extra?.['remoteAddress'];
}

/** The caller, the capability and the input that an answer of a user is for. */
export interface AnsweredCall {
  readonly key: string;
  readonly input: object;
  readonly identity: unknown;
  /** The whole header `Authorization`. */
  readonly authorization: string | undefined;
}

/**
 * A text that is the same for the same call of the same caller, in every process. An instance of a class may hide its
 * identity, so the token of the caller stands for it: with a new token, the user gets the question again.
 */
export function toCallDigest({ key, input, identity, authorization }: AnsweredCall): string {
  const facts = toLastingFacts(identity);
  const caller = identity === undefined || typeof facts === 'symbol' ? authorization : facts;
  const text = JSON.stringify([key, caller ?? null, input], toSorted);
  return createHash('sha256').update(text).digest('base64url');
}

/** The fields of an object by their names, for `JSON.stringify`. */
function toSorted(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const fields = Object.entries(value);
  return Object.fromEntries(fields.sort(([one], [other]) => (one < other ? -1 : 1)));
}

/**
 * Leaves out the claims that change with each token of a person. A class may hide the fields that distinguish two of
 * them.
 */
function toLastingFacts(identity: unknown): unknown {
  if (typeof identity !== 'object' || identity === null) return identity;
  if (Object.getPrototypeOf(identity) !== Object.prototype) return Symbol('like no other');
  const {
    exp: _exp,
    iat: _iat,
    nbf: _nbf,
    jti: _jti,
    auth_time: _at,
    ...facts
  } = identity as Record<string, unknown>;
  return facts;
}
