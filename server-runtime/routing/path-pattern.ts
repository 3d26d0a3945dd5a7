/** One segment of a path: `static` is decoded text, `param` a name; `isRest` takes all segments that follow. */
export type PathSegment = { readonly static: string } | { readonly param: string; readonly isRest?: true };

export interface PathPattern {
  readonly kind: 'pattern';
  /** As written, without empty segments: `/projects/:projectId`. */
  readonly path: string;
  readonly segments: readonly PathSegment[];
  readonly params: readonly string[];
}

export interface InvalidPathPattern {
  readonly kind: 'invalid';
  /** The fault and what to write instead, as the rest of a sentence. */
  readonly reason: string;
}

/**
 * Reads a path such as `/projects/:projectId/tasks`. A parameter takes a whole segment; text may be written as it is
 * read or percent-encoded; `*path` as the last one takes all segments that are left; a trailing slash and doubled
 * slashes are dropped, as they are when a request is matched.
 */
export function parsePathPattern(path: string): PathPattern | InvalidPathPattern {
  if (!path.startsWith('/')) return invalid(`does not begin with a slash; write ${JSON.stringify(`/${path}`)}`);
  const written = path.split('/').filter((segment) => segment !== '');
  const segments: PathSegment[] = [];
  const params: string[] = [];
  for (const [index, text] of written.entries()) {
    const parsed = parseSegment(text);
    if (typeof parsed === 'string') return invalid(parsed);
    if ('param' in parsed) {
      if (parsed.isRest === true && index < written.length - 1)
        return invalid(`has ${JSON.stringify(text)} before its end; it takes the rest of the path, so write it last`);
      if (params.includes(parsed.param))
        return invalid(`names the parameter \`:${parsed.param}\` twice; give each its own name`);
      params.push(parsed.param);
    }
    segments.push(parsed);
  }
  return { kind: 'pattern', path: `/${written.join('/')}`, segments, params };
}

/** The text that two paths have in common when every request that fits one fits the other at the same rank. */
export function toPathShape(segments: readonly PathSegment[]): string {
  return `/${segments.map(toSegmentShape).join('/')}`;
}

function toSegmentShape(segment: PathSegment): string {
  if ('static' in segment) return toCanonicalSegment(segment.static);
  return segment.isRest === true ? '**' : ':';
}

function parseSegment(text: string): PathSegment | string {
  if (/^\*[a-zA-Z_]/.test(text)) {
    const rest = parseParam(text.slice(1));
    return typeof rest === 'string' || 'static' in rest ? rest : { ...rest, isRest: true };
  }
  if (text.startsWith(':')) return parseParam(text.slice(1));
  const shown = JSON.stringify(text);
  const foreign = /[?#*{}\\\s]|\p{Cc}/u.exec(text)?.[0];
  if (foreign !== undefined) {
    const hint = /^\{\w+\}$/.test(text)
      ? `write the parameter as \`:${text.slice(1, -1)}\``
      : `write ${encodeURIComponent(foreign).replace('*', '%2A')} if it is meant literally`;
    return `has ${JSON.stringify(foreign)} in ${shown}; ${hint}`;
  }
  if (text.includes(':'))
    return `has a colon inside ${shown}; a parameter takes a whole segment (write %3A for a literal colon)`;
  const decoded = decodeSegment(text);
  if (decoded === undefined) return `has percent-encoding in ${shown} that cannot be decoded; write % as %25`;
  if (decoded === '.' || decoded === '..') return `has the segment ${shown}, which clients resolve before they send it`;
  return { static: decoded };
}

function parseParam(name: string): PathSegment | string {
  if (!/^[a-zA-Z_]\w*$/.test(name)) {
    const rule = 'a name is made of letters, digits and underscores, takes a whole segment, and cannot be optional';
    return `has the parameter ${JSON.stringify(`:${name}`)}; ${rule}`;
  }
  if (unsafeNames.has(name))
    return `names a parameter \`:${name}\`, a field that never reaches a handler; choose another name`;
  return { param: name };
}

function invalid(reason: string): InvalidPathPattern {
  return { kind: 'invalid', reason };
}

const unsafeNames: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

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
  const pattern = typeof prefix === 'string' ? parsePathPattern(prefix) : undefined;
  if (pattern?.kind === 'pattern' && pattern.params.length === 0) return pattern.path === '/' ? '' : pattern.path;
  const reason = pattern?.kind === 'invalid' ? `it ${pattern.reason}` : 'it has parameters';
  throw new TypeError(
    `prefix: expected a path such as '/api', got ${JSON.stringify(prefix)}${pattern ? `: ${reason}` : ''}.`,
  );
}
