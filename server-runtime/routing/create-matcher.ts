import { addRoute, createRouter, findRoute } from 'rou3';
import type { HttpMethod } from '../capability/http.ts';
import { decodeSegment, type PathPattern, toCanonicalSegment } from './path-pattern.ts';

export type PathParams = Readonly<Record<string, string>>;

export type RouteMatch<T> =
  | { readonly kind: 'matched'; readonly route: T; readonly params: PathParams }
  /** `bad-path`: its percent-encoding cannot be decoded. */
  | { readonly kind: 'not-found' | 'bad-path' }
  /** `allow` are all methods that the path answers to, HEAD and OPTIONS among them. */
  | { readonly kind: 'method-not-allowed'; readonly allow: readonly string[] };

export type MatchRoute<T> = (method: string, pathname: string) => RouteMatch<T>;

/**
 * Makes the function that finds the route of a request by its path as it was sent. HEAD is served by GET. Static text
 * wins over a parameter, segment by segment from the left, and a parameter over the rest of a path, with backtracking.
 * Of two routes that fit the same requests the first wins. A trailing slash and doubled slashes do not count.
 */
export function createMatcher<
  T extends Pick<PathPattern, 'routerPath'> & { readonly method: HttpMethod },
>(routes: readonly T[]): MatchRoute<T> {
  const router = createRouter<T>();
  for (const route of routes) addRoute(router, route.method, route.routerPath, route);
  const find = (method: string, path: string) =>
    findRoute(router, method === 'HEAD' ? 'GET' : method, path);

  return (method, pathname) => {
    if (!pathname.startsWith('/')) return { kind: 'not-found' };
    const path = plainPath.test(pathname) ? pathname : toCanonicalPath(pathname);
    if (path === undefined) return { kind: 'bad-path' };
    const found = find(method, path);
    if (found !== undefined)
      return { kind: 'matched', route: found.data, params: toParams(path, found.params) };
    const allow = allowOrder.filter((each) => find(each, path) !== undefined);
    return allow.length === 0
      ? { kind: 'not-found' }
      : { kind: 'method-not-allowed', allow: [...allow, 'OPTIONS'] };
  };
}

/** A path that is its own canonical spelling, as almost every requested path is. */
const plainPath = /^(?:\/[\w\-.~]+)+$/;
const none: PathParams = {};
const allowOrder = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Without empty segments, each encoded in one way: `/caf%C3%A9/a%2Fb`; undefined where it cannot be decoded. */
function toCanonicalPath(path: string): string | undefined {
  const segments = path.split('/').filter(Boolean).map(decodeSegment);
  if (segments.includes(undefined)) return undefined;
  return `/${segments.map((segment = '') => toCanonicalSegment(segment)).join('/')}`;
}

function toParams(path: string, captured: PathParams = none): PathParams {
  if (!path.includes('%')) return captured;
  return Object.fromEntries(
    Object.entries(captured).map(([name, value]) => [name, decodeURIComponent(value)]),
  );
}
