import { createHash } from 'node:crypto';

/** The longest name that clients take, with the name of a server before it. */
const MAX_LENGTH = 60;
const HASH_LENGTH = 6;

/**
 * The name of a tool as all clients take it: letters, digits, `_` and `-`, at most 60 of them. `users.getUser` is `users_getUser`; of a longer
 * one the end is a fingerprint of the whole, so that two with the same beginning stay two.
 */
export function toToolName(wanted: string): string {
  const name = wanted.replaceAll(/[^\w-]/g, '_');
  if (name.length <= MAX_LENGTH) return name;
  const hash = createHash('sha1').update(wanted).digest('hex').slice(0, HASH_LENGTH);
  return `${name.slice(0, MAX_LENGTH - HASH_LENGTH - 1)}_${hash}`;
}
