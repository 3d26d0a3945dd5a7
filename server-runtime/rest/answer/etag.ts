import { createHash } from 'node:crypto';
import type { EtagKind } from '../../http/to-etag-kind.ts';

/** The entity tag of a body. */
export function toEtag(body: string | Uint8Array, kind: EtagKind): string {
  const tag = `"${createHash('sha1').update(body).digest('base64url')}"`;
  return kind === 'weak' ? toWeakEtag(tag) : tag;
}

/** The tag of other bytes that mean the same. */
export function toWeakEtag(tag: string): string {
  return tag.startsWith('W/') ? tag : `W/${tag}`;
}

/** Whether an `If-None-Match` names a tag: a list, or `*`. */
export function matchesEtag(condition: string, tag: string): boolean {
  const opaque = toOpaque(tag);
  return condition.trim() === '*' || (condition.match(/"[^"]*"/g)?.includes(opaque) ?? false);
}

function toOpaque(tag: string): string {
  return tag.startsWith('W/') ? tag.slice(2) : tag;
}
