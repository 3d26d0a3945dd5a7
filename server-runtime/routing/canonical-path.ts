/**
 * The one spelling under which equal paths are compared: no empty segment, every segment decoded, and of the decoded
 * text only `%` and `/` encoded again. `//caf%C3%A9/a%2fb/` is `/café/a%2Fb`. Undefined where the
 * percent-encoding cannot be decoded.
 */
export function toCanonicalPath(path: string): string | undefined {
  const segments: string[] = [];
  for (const segment of path.split('/')) {
    if (segment === '') continue;
    const decoded = decodeSegment(segment);
    if (decoded === undefined) return undefined;
    segments.push(toCanonicalSegment(decoded));
  }
  return `/${segments.join('/')}`;
}

/** Whether a path that begins with a slash is its own canonical spelling, as almost every requested path is. */
export function isCanonicalPath(path: string): boolean {
  return !path.includes('%') && !path.includes('//') && (!path.endsWith('/') || path === '/');
}

/** Writes a decoded segment in canonical spelling; `decodeURIComponent` reads it back. */
export function toCanonicalSegment(decoded: string): string {
  return decoded.replaceAll('%', '%25').replaceAll('/', '%2F');
}

/** The text of a percent-encoded segment; undefined where it is not valid UTF-8. */
export function decodeSegment(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
