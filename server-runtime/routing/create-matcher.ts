import { isCanonicalPath, toCanonicalPath, toCanonicalSegment } from './canonical-path.ts';
import { addToTree, createParamTree, findInTree, type ParamTree, type TreePart } from './param-tree.ts';
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
 * segment by segment from the left, the parameter is tried where the static way leads nowhere, and the rest of a path after that; of two routes that
 * fit the same requests the first in the list wins; a trailing slash and doubled slashes do not count.
 */
export function createMatcher<T extends RoutedOperation>(routes: readonly Route<T>[]): MatchRoute<T> {
  const trees = toMethodTrees(routes);

  return (method, pathname) => {
    const tree = trees.get(method);
    // Without `%` a path is canonical, or has odd slashes and matches nothing until they are mended below.
    if (tree !== undefined && !pathname.includes('%')) {
      const matched = matchInTree(tree, pathname);
      if (matched !== undefined) return matched;
    }
    if (!pathname.startsWith('/')) return notFound;
    const path = isCanonicalPath(pathname) ? pathname : toCanonicalPath(pathname);
    if (path === undefined) return badPath;
    return (tree && matchInTree(tree, path)) ?? refuse(trees, path);
  };
}

type Matched<T extends RoutedOperation> = Extract<RouteMatch<T>, { readonly kind: 'matched' }>;

type MethodTrees<T extends RoutedOperation> = ReadonlyMap<string, ParamTree<Route<T>>>;

function toMethodTrees<T extends RoutedOperation>(routes: readonly Route<T>[]): MethodTrees<T> {
  const trees = new Map<string, ParamTree<Route<T>>>();
  for (const route of routes) {
    const tree = trees.get(route.method) ?? createParamTree();
    trees.set(route.method, tree);
    addToTree(tree, toTreeParts(route.segments), route);
  }
  const get = trees.get('GET');
  if (get !== undefined) trees.set('HEAD', get);
  return trees;
}

/** `[{static: 'users'}, {param: 'id'}, {static: 'follow'}]` becomes `['/users/', undefined, '/follow']`. */
function toTreeParts(segments: readonly PathSegment[]): TreePart[] {
  const parts: TreePart[] = [];
  let text = '/';
  for (const [index, segment] of segments.entries()) {
    if (index > 0) text += '/';
    if ('static' in segment) {
      text += toCanonicalSegment(segment.static);
    } else {
      parts.push(text, segment.isRest === true ? null : undefined);
      text = '';
    }
  }
  return text === '' ? parts : [...parts, text];
}

function matchInTree<T extends RoutedOperation>(tree: ParamTree<Route<T>>, path: string): Matched<T> | undefined {
  const captured: string[] = [];
  const route = findInTree(tree, path, 0, captured);
  return route && { kind: 'matched', route, params: toParams(route.params, captured) };
}

function toParams(names: readonly string[], captured: readonly string[]): PathParams {
  const params: Record<string, string> = {};
  for (let i = 0; i < names.length; i++) {
    const value = captured[i] ?? '';
    params[names[i] ?? ''] = value.includes('%') ? decodeURIComponent(value) : value;
  }
  return params;
}

function refuse<T extends RoutedOperation>(trees: MethodTrees<T>, path: string): RouteMatch<T> {
  const allow = allowOrder.filter((method) => {
    const tree = trees.get(method);
    return tree !== undefined && findInTree(tree, path, 0, []) !== undefined;
  });
  return allow.length === 0 ? notFound : { kind: 'method-not-allowed', allow: [...allow, 'OPTIONS'] };
}

const allowOrder = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
const notFound = { kind: 'not-found' } as const;
const badPath = { kind: 'bad-path' } as const;
