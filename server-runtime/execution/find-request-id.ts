import { randomBytes } from 'node:crypto';

/** At most 128 visible ASCII characters: safe in a header and in a log line. */
const SANE = /^[\x21-\x7e]{1,128}$/;

/** The caller's own id where it is sane; undefined asks for a new one. */
export function findRequestId(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' && SANE.test(header) ? header : undefined;
}

/**
 * Makes ids such as `k3v9x0q1-1a`: random for the process, counted within it, because a random id for each request
 * costs 8 % of a small one. The random part is made with the first: Workers have no randomness where a server is
 * created, outside a request.
 */
export function createRequestIdMaker(): () => string {
  let prefix: string | undefined;
  let count = 0;
  return () => {
    prefix ??= `${randomBytes(8).toString('base64url')}-`;
    return prefix + (count++).toString(36);
  };
}
