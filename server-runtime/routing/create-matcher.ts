import { decodeSegment, isCanonicalPath, toCanonicalPath, toCanonicalSegment } from './canonical-path.ts';
import { httpMethods } from './http-method.ts';
import { addToTree, createParamTree, findInTree, type ParamTree } from './param-tree.ts';
import type { PathSegment } from './path-pattern.ts';
import type { Route, RoutedOperation } from './route.ts';

/** Decoded path parameters by name. */
export type PathParams = Readonly<Record<string, string>>;

export type RouteMatch<T extends RoutedOperation> =
  | { readonly kind: 'matched'; readonly route: Route<T>; readonly params: PathParams }
  | { readonly kind: 'not-found' }
  /** `allow` are all methods that the path answers to, HEAD and OPTIONS among them. */
  | { readonly kind: 'method-not-allowed'; readonly allow: readonly string[] }
  /** The path's percent-encoding cannot be decoded. */
  | { readonly kind: 'bad-path' };

/** @param pathname The path as it was requested, neither decoded nor with a query: `/users/a%2Fb`. */
export type MatchRoute<T extends RoutedOperation> = (method: string, pathname: string) => RouteMatch<T>;

/**
 * Makes the function that finds the route of a request. HEAD is served by GET; static text wins over a parameter,
 * segment by segment from the left, and the parameter is tried where the static way leads nowhere; of two routes that
 * fit the same requests the first in the list wins; a trailing slash and doubled slashes do not count.
 */
export function createMatcher<T extends RoutedOperation>(routes: readonly Route<T>[]): MatchRoute<T> {
  const indexes = toMethodIndexes(routes);

  return (method, pathname) => {
    const index = indexes.get(method);
    const direct = index?.byPath.get(pathname);
    if (direct !== undefined) return direct;
    if (!pathname.startsWith('/')) return notFound;
    const path = isCanonicalPath(pathname) ? pathname : toCanonicalPath(pathname);
    if (path === undefined) return badPath;
    return (index && matchInIndex(index, path)) ?? refuse(indexes, path);
  };
}

interface MethodIndex<T extends RoutedOperation> {
  /** The ready answer for each path without parameters, in canonical spelling. */
  readonly byPath: Map<string, Matched<T>>;
  readonly tree: ParamTree<Route<T>>;
}

type Matched<T extends RoutedOperation> = Extract<RouteMatch<T>, { readonly kind: 'matched' }>;

function toMethodIndexes<T extends RoutedOperation>(routes: readonly Route<T>[]): Map<string, MethodIndex<T>> {
  const indexes = new Map<string, MethodIndex<T>>();
  for (const method of httpMethods) {
    const ofMethod = routes.filter((route) => route.method === method);
    if (ofMethod.length > 0) indexes.set(method, toMethodIndex(ofMethod));
  }
  const get = indexes.get('GET');
  if (get !== undefined) indexes.set('HEAD', get);
  return indexes;
}

function toMethodIndex<T extends RoutedOperation>(routes: readonly Route<T>[]): MethodIndex<T> {
  const byPath = new Map<string, Matched<T>>();
  const tree = createParamTree<Route<T>>();
  for (const route of routes) {
    const parts = toTreeParts(route.segments);
    if (route.params.length > 0) {
      addToTree(tree, parts, route);
      continue;
    }
    const path = parts.join('');
    if (!byPath.has(path)) byPath.set(path, { kind: 'matched', route, params: noParams });
  }
  return { byPath, tree };
}

/** `[{static: 'users'}, {param: 'id'}, {static: 'follow'}]` becomes `['/users/', undefined, '/follow']`. */
function toTreeParts(segments: readonly PathSegment[]): (string | undefined)[] {
  const parts: (string | undefined)[] = [];
  let text = '/';
  for (const [index, segment] of segments.entries()) {
    if (index > 0) text += '/';
    if ('static' in segment) {
      text += toCanonicalSegment(segment.static);
    } else {
      parts.push(text, undefined);
      text = '';
    }
  }
  return text === '' ? parts : [...parts, text];
}

function matchInIndex<T extends RoutedOperation>({ byPath, tree }: MethodIndex<T>, path: string): Matched<T> | undefined {
  const matched = byPath.get(path);
  if (matched !== undefined) return matched;
  const captured: string[] = [];
  const route = findInTree(tree, path, 0, captured);
  return route && { kind: 'matched', route, params: toParams(route.params, captured, path.includes('%')) };
}

function toParams(names: readonly string[], captured: readonly string[], encoded: boolean): PathParams {
  const params: Record<string, string> = {};
  for (const [index, name] of names.entries()) {
    const value = captured[index] ?? '';
    params[name] = encoded ? (decodeSegment(value) ?? value) : value;
  }
  return params;
}

function refuse<T extends RoutedOperation>(indexes: ReadonlyMap<string, MethodIndex<T>>, path: string): RouteMatch<T> {
  const allow = allowOrder.filter((method) => {
    const index = indexes.get(method);
    return index !== undefined && matchInIndex(index, path) !== undefined;
  });
  return allow.length === 0 ? notFound : { kind: 'method-not-allowed', allow: [...allow, 'OPTIONS'] };
}

const allowOrder = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
const noParams: PathParams = Object.freeze({});
const notFound = { kind: 'not-found' } as const;
const badPath = { kind: 'bad-path' } as const;
