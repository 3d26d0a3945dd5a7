import { createHash } from 'node:crypto';

/** Longer texts are kept as their digest. */
const MAX_LENGTH = 120;

/** A key of a store, `space:text`, of a bounded length: different for different texts. */
export function toStoreKey(space: string, text: string): string {
  return `${space}:${text.length <= MAX_LENGTH ? text : toDigest(text)}`;
}

/** 43 letters. A digest and a text of that form cannot be told apart, so it begins as no text does. */
export function toDigest(text: string): string {
  return `\u0001${createHash('sha256').update(text).digest('base64url')}`;
}
