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
  for (const [index, text] of written.entries()) {
    const parsed = parseSegment(text);
    if (parsed === undefined || ('isRest' in parsed && index < written.length - 1))
      return `has ${JSON.stringify(text)}; ${RULE}`;
    segments.push(parsed);
    if (!('param' in parsed)) continue;
    if (params.includes(parsed.param)) return `names the parameter \`:${parsed.param}\` twice; give each its own name`;
    params.push(parsed.param);
  }
  return { path: `/${written.join('/')}`, segments, params };
}

const RULE = 'a segment is text (percent-encoded: %3F for ?) or one parameter, `:id`, or at the end `*rest`';

function parseSegment(text: string): PathSegment | undefined {
  const [, mark, param] = /^([:*])(?!(?:__proto__|constructor|prototype)$)([a-zA-Z_]\w*)$/.exec(text) ?? [];
  if (param !== undefined) return mark === '*' ? { param, isRest: true } : { param };
  const decoded = /[?#*{}\\:\s]|\p{Cc}/u.test(text) ? undefined : decodeSegment(text);
  // Clients resolve dots before they send a path.
  return decoded === undefined || decoded === '.' || decoded === '..' ? undefined : { static: decoded };
}

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
