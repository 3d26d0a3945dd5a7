import { type IsSecret, LOG_MASK } from '../schema/secret-names.ts';

interface PathSecrets {
  readonly isSecret: IsSecret;
  readonly replacement?: (name: string) => string;
}

/**
 * A path as a log may have it: `/resets/***` for the route `/resets/:token`. Matching ignores empty segments, so they
 * count for nothing here either.
 */
export function toShownPath(
  path: string,
  route: string,
  { isSecret, replacement = () => LOG_MASK }: PathSecrets,
): string {
  const patterns = route.split('/').filter(Boolean);
  let at = 0;
  const shown: string[] = [];
  for (const segment of path.split('/')) {
    const pattern = patterns[Math.min(at, patterns.length - 1)] ?? '';
    if (segment !== '') at += 1;
    const name = pattern.slice(1);
    const isMasked = segment !== '' && /^[:*]/.test(pattern) && isSecret(name);
    shown.push(isMasked ? replacement(name) : segment);
  }
  return shown.join('/');
}

/**
 * A path below a mount, of whose segments nothing is known: a long one that is not a word, as the token of a link to
 * reset a password, is left out.
 */
export function toShownMountPath(path: string): string {
  const toShown = (part: string): string => (/^([a-z-]*|.{1,15})$/i.test(part) ? part : '***');
  return path.split('/').map(toShown).join('/');
}
