export interface PathPattern {
  /** As written, without empty segments: `/projects/:projectId`. */
  readonly path: string;
  /** The same as a router takes it, text in one spelling: `/caf%C3%A9/:id/**:rest`. */
  readonly routerPath: string;
  readonly params: readonly string[];
}

/**
 * Reads a path such as `/projects/:projectId/tasks`, whose text may be percent-encoded, and whose last segment may be
 * `*path` for all remaining ones. For an invalid path it returns the reason, as the rest of a sentence.
 */
export function parsePathPattern(path: string): PathPattern | string {
  // Nearly all routes are such a path, perhaps with one parameter.
  if (PLAIN_PATH.test(path)) return { path, routerPath: path, params: [] };
  if (!path.startsWith('/'))
    return `does not begin with a slash; write ${JSON.stringify(`/${path}`)}`;
  const segments = path.split('/').filter(Boolean);
  const params: string[] = [];
  const parts: string[] = [];
  for (const segment of segments) {
    if (PARAM.test(segment)) {
      const isRest = segment.startsWith('*');
      const name = segment.slice(1);
      if (isRest && parts.length < segments.length - 1) return toMistake(segment);
      if (params.includes(name))
        return `names the parameter \`:${name}\` twice; give each its own name`;
      params.push(name);
      parts.push(`${isRest ? '**' : ''}:${name}`);
    } else {
      const text = findText(segment);
      if (text === undefined) return toMistake(segment);
      parts.push(text);
    }
  }
  return { path: `/${segments.join('/')}`, routerPath: `/${parts.join('/')}`, params };
}

function toMistake(segment: string): string {
  return `has ${JSON.stringify(segment)}; ${RULE}`;
}

/** The one spelling of a segment that is not a parameter; undefined for one that a path cannot contain. */
function findText(segment: string): string | undefined {
  if (PLAIN_PATH.test(`/${segment}`)) return segment;
  const text = RESERVED.test(segment) ? undefined : decodeSegment(segment);
  // Clients resolve dots before they send a path.
  if (text === undefined || text === '.' || text === '..') return undefined;
  return toCanonicalSegment(text);
}

/** Text that has one spelling. */
const PLAIN_PATH = /^(?:\/[\w-]+)+$/;
const PARAM = /^[:*](?!(?:__proto__|constructor|prototype)$)[a-zA-Z_]\w*$/;
const RESERVED = /[?#*{}\\:\s]|\p{Cc}/u;
const RULE =
  'a segment is text (percent-encoded: %3F for ?) or one parameter, `:id`, or at the end `*rest`';

export function toCanonicalSegment(decoded: string): string {
  return encodeURIComponent(decoded.toWellFormed()).replace(
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

/** The text before every path: empty, or `/api`. @throws TypeError for a value that is not a path of static text */
export function toPrefix(prefix: unknown = ''): string {
  if (prefix === '') return '';
  const pattern = typeof prefix === 'string' ? parsePathPattern(prefix) : 'is not a text';
  if (typeof pattern === 'object' && pattern.params.length === 0)
    return pattern.path === '/' ? '' : pattern.path;
  const reason = typeof pattern === 'string' ? pattern : 'has parameters';
  throw new TypeError(
    `prefix: expected a path such as '/api', got ${JSON.stringify(prefix)}: it ${reason}.`,
  );
}
