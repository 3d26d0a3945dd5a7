/** One segment of a path: `static` is decoded text, `param` a name; `isRest` takes all segments that follow. */
export type PathSegment = { readonly static: string } | { readonly param: string; readonly isRest?: true };

export interface PathPattern {
  /** As written, without empty segments: `/projects/:projectId`. */
  readonly path: string;
  readonly segments: readonly PathSegment[];
  readonly params: readonly string[];
}

/**
 * Reads a path such as `/projects/:projectId/tasks`, whose text may be percent-encoded, and whose last segment may be
 * `*path` for all that are left. Of a path that cannot be it gives the reason, as the rest of a sentence.
 */
export function parsePathPattern(path: string): PathPattern | string {
  if (!path.startsWith('/')) return `does not begin with a slash; write ${JSON.stringify(`/${path}`)}`;
  const written = path.split('/').filter((segment) => segment !== '');
  const segments: PathSegment[] = [];
  const params: string[] = [];
  for (const text of written) {
    const last = segments.at(-1);
    if (last !== undefined && 'isRest' in last)
      return `goes on after "*${last.param}", which takes the rest of the path, so write it last`;
    const parsed = parseSegment(text);
    if (typeof parsed === 'string') return parsed;
    segments.push(parsed);
    if (!('param' in parsed)) continue;
    if (params.includes(parsed.param)) return `names the parameter \`:${parsed.param}\` twice; give each its own name`;
    params.push(parsed.param);
  }
  return { path: `/${written.join('/')}`, segments, params };
}

function parseSegment(text: string): PathSegment | string {
  const shown = JSON.stringify(text);
  if (/^(:|\*[a-zA-Z_])/.test(text)) {
    const param = text.slice(1);
    if (!/^[a-zA-Z_]\w*$/.test(param))
      return `has the parameter ${shown}; use letters and digits; it takes a whole segment and cannot be optional`;
    if (unsafeNames.has(param))
      return `names a parameter \`:${param}\`, a field that never reaches a handler; choose another name`;
    return text.startsWith('*') ? { param, isRest: true } : { param };
  }
  if (/^\{\w+\}$/.test(text)) return `has "{" in ${shown}; write the parameter as \`:${text.slice(1, -1)}\``;
  const foreign = /[?#*{}\\\s]|\p{Cc}/u.exec(text)?.[0];
  if (foreign !== undefined) {
    const encoded = encodeURIComponent(foreign).replace('*', '%2A');
    return `has ${JSON.stringify(foreign)} in ${shown}; write ${encoded} if it is meant literally`;
  }
  if (text.includes(':'))
    return `has a colon inside ${shown}; a parameter takes a whole segment (write %3A for a literal colon)`;
  const decoded = decodeSegment(text);
  if (decoded === undefined) return `has percent-encoding in ${shown} that cannot be decoded; write % as %25`;
  if (decoded === '.' || decoded === '..') return `has the segment ${shown}, which clients resolve before they send it`;
  return { static: decoded };
}

const unsafeNames: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/** A path as a router takes it: `/a/:id/**:rest`. Without names, the same for all paths that fit the same requests. */
export function toRouterPath(segments: readonly PathSegment[], toName = (param: string) => param): string {
  const parts = segments.map((segment) => {
    if ('static' in segment) return toCanonicalSegment(segment.static);
    return `${segment.isRest === true ? '**' : ''}:${toName(segment.param)}`;
  });
  return `/${parts.join('/')}`;
}

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

/** The text before every path: empty, or `/api`. @throws TypeError for what is not a path of static text */
export function toPrefix(prefix: unknown = ''): string {
  if (prefix === '') return '';
  const pattern = typeof prefix === 'string' ? parsePathPattern(prefix) : 'is no text';
  if (typeof pattern === 'object' && pattern.params.length === 0) return pattern.path === '/' ? '' : pattern.path;
  const reason = typeof pattern === 'string' ? pattern : 'has parameters';
  throw new TypeError(`prefix: expected a path such as '/api', got ${JSON.stringify(prefix)}: it ${reason}.`);
}
