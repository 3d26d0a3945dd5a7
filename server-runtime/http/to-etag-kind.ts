/** The kind of entity tags: `weak` ones stand for what bytes mean, `strong` ones for the bytes. */
export type EtagKind = 'weak' | 'strong';

/** The kind of entity tags that an option asks for; undefined for none. @throws TypeError for another value */
export function toEtagKind(etag: boolean | EtagKind = false): EtagKind | undefined {
  if (etag === false) return undefined;
  if (etag === true) return 'weak';
  if (etag === 'weak' || etag === 'strong') return etag;
  throw new TypeError(`restTransport etag: expected true, false, 'weak' or 'strong', got '${String(etag)}'.`);
}
