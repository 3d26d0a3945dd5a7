/**
 * The one spelling under which equal paths are compared: no empty segment, and every segment percent-encoded but for
 * letters, digits and `-._~`. `//caf%C3%A9/a%2fb/` is `/caf%C3%A9/a%2Fb`. Undefined where the percent-encoding cannot
 * be decoded.
 */
export function toCanonicalPath(path: string): string | undefined {
  if (plainPath.test(path)) return path;
  const segments: string[] = [];
  for (const segment of path.split('/')) {
    if (segment === '') continue;
    const decoded = decodeSegment(segment);
    if (decoded === undefined) return undefined;
    segments.push(toCanonicalSegment(decoded));
  }
  return `/${segments.join('/')}`;
}

/** A path that is its own canonical spelling, as almost every requested path is. */
const plainPath = /^(?:\/[\w\-.~]+)+$/;

/** Writes a decoded segment in canonical spelling; `decodeURIComponent` reads it back. */
export function toCanonicalSegment(decoded: string): string {
  return encodeURIComponent(decoded.replace(/\p{Surrogate}/gu, '\uFFFD')).replace(
    /[!'()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** The text of a percent-encoded segment; undefined where it is not valid UTF-8. */
export function decodeSegment(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
