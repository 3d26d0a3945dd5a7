import { Memoirist } from 'memoirist';
import { type HttpMethod, httpMethods } from '../capability/http.ts';
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
  T extends Pick<PathPattern, 'routerPath' | 'params'> & { readonly method: HttpMethod },
>(routes: readonly T[]): MatchRoute<T> {
  const { fixed, find } = createFinder(routes);
  return (sent, pathname) => {
    const method = sent === 'HEAD' ? 'GET' : sent;
    const known = fixed.get(method)?.get(pathname);
    if (known !== undefined) return known;
    if (!pathname.startsWith('/')) return { kind: 'not-found' };
    const path = plainPath.test(pathname) ? pathname : toCanonicalPath(pathname);
    if (path === undefined) return { kind: 'bad-path' };
    const found = find(method, path);
    if (found !== undefined) return found;
    const allow = allowOrder.filter(
      (each) => find(each === 'HEAD' ? 'GET' : each, path) !== undefined,
    );
    return allow.length === 0
      ? { kind: 'not-found' }
      : { kind: 'method-not-allowed', allow: [...allow, 'OPTIONS'] };
  };
}

/**
 * Paths without parameters win over all others, and most requests are for one: a map finds them in half of the time
 * that the tree takes, and needs no check of the path.
 */
function createFinder<
  T extends Pick<PathPattern, 'routerPath' | 'params'> & { readonly method: HttpMethod },
>(routes: readonly T[]) {
  const fixed = new Map<string, Map<string, Matched<T>>>(
    httpMethods.map((method) => [method, new Map()]),
  );
  const tree = new Memoirist<T>();
  // Of two routes of one shape the tree keeps the last one that it gets.
  for (const route of routes.toReversed()) {
    if (route.params.length === 0)
      fixed.get(route.method)?.set(route.routerPath, { kind: 'matched', route, params: none });
    else tree.add(route.method, route.routerPath.replace(/\*\*:\w+$/, REST), route);
  }
  const find = (method: string, path: string): Matched<T> | undefined => {
    const known = fixed.get(method)?.get(path);
    if (known !== undefined) return known;
    const found = tree.find(method, path);
    // The rest of a path is one segment at least, while the tree takes none for it at the root.
    if (found === null || found.params[REST] === '') return undefined;
    return {
      kind: 'matched',
      route: found.store,
      params: toParams(found.store.params, found.params),
    };
  };
  return { fixed, find };
}

type Matched<T> = Extract<RouteMatch<T>, { readonly kind: 'matched' }>;

/** The tree's name for the rest of a path. */
const REST = '*';

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

/** The parameters in the order of their route, decoded. The tree gives the last one first. */
function toParams(names: readonly string[], found: PathParams): PathParams {
  const params: Record<string, string> = {};
  for (const name of names) {
    const text = found[name] ?? found[REST] ?? '';
    params[name] = text.includes('%') ? decodeURIComponent(text) : text;
  }
  return params;
}
