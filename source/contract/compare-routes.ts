import type { ApiOperation, ApiRoute } from '../document/api-operation.ts';
import type { Side } from './compare.ts';
import type { ContractChange } from './contract-change.ts';
import { toChange } from './rules.ts';

/** `GET /users/:id` */
export function toRoute({ method, path }: ApiRoute): string {
  return `${method} ${path}`.trim();
}

/** Which requests match a route, whatever its parameters are called: `GET /users/:`. */
export function toRouteShape({ method, path }: ApiRoute): string {
  return `${method} ${path.replaceAll(/([:*])[^/]+/g, '$1')}`;
}

/** Compares all routes of a capability: their order says nothing. */
export function compareRoutes({ operation: old }: Side, { operation: now }: Side): readonly ContractChange[] {
  const [olds, news] = [toRoutes(old), toRoutes(now)];
  const gone = olds.filter((route) => !news.some((other) => covers(other, route)));
  const come = news.filter((route) => !olds.some((other) => toRouteShape(other) === toRouteShape(route)));
  const fresh = come.filter((route) => !olds.some((other) => covers(route, other)));
  const [from, to] = [gone[0], fresh[0]];
  if (gone.length === 1 && fresh.length === 1 && from !== undefined && to !== undefined) {
    const texts = { before: toRoute(from), after: toRoute(to) };
    const message = `route changed from ${texts.before} to ${texts.after}`;
    return [toChange('route-changed', { at: 'route', message, ...texts })];
  }
  return [
    ...gone.map((route) => toChange('route-removed', { at: 'route', message: `route ${toRoute(route)} was removed` })),
    ...come.map((route) => toChange('route-added', { at: 'route', message: `route ${toRoute(route)} was added` })),
  ];
}

/** Whether every request of the second route matches the first: a wildcard takes what a parameter in its place took. */
function covers(wide: ApiRoute, narrow: ApiRoute): boolean {
  const [some, all] = [toSegments(narrow), toSegments(wide)];
  const isRest = all.at(-1) === '*';
  if (wide.method !== narrow.method || !(some.length === all.length || isRest)) return false;
  return all.every((segment, index) => segment === some[index] || (segment === '*' && some[index] === ':'));
}

/** The words of a path, `:` for a parameter and `*` for one that takes the rest. */
function toSegments({ path }: ApiRoute): readonly string[] {
  return path.split('/').flatMap((segment) => (segment === '' ? [] : [/^[:*]/.exec(segment)?.[0] ?? segment]));
}

/** A route with the key of its capability. */
export interface KeyedRoute {
  readonly key: string;
  readonly route: ApiRoute;
}

export function findNewRoutes(olds: readonly Side[], news: readonly Side[]): readonly KeyedRoute[] {
  const known = new Set(olds.flatMap(({ operation }) => toRoutes(operation).map(toRouteShape)));
  return news
    .flatMap(({ key, operation }) => toRoutes(operation).map((route) => ({ key, route })))
    .filter(({ route }) => !known.has(toRouteShape(route)));
}

/** Whether new routes of other capabilities take requests from those that a capability had. */
export function compareShadows({ key, operation }: Side, fresh: readonly KeyedRoute[]): readonly ContractChange[] {
  const kept = toRoutes(operation).filter((route) => !fresh.some((each) => each.route === route));
  const others = fresh.filter((each) => each.key !== key);
  return kept.flatMap((route) =>
    others
      .filter((each) => shadows(each.route, route))
      .map((each) => {
        const message = `${toRoute(each.route)} of \`${each.key}\` takes requests that ${toRoute(route)} took`;
        return toChange('route-shadowed', { at: 'route', message });
      }),
  );
}

function toRoutes(operation: ApiOperation): readonly ApiRoute[] {
  return [operation, ...operation.otherRoutes];
}

/** Whether some requests match both, and the first is preferred: it has a word where the other has a parameter. */
function shadows(first: ApiRoute, second: ApiRoute): boolean {
  const [words, others] = [toSegments(first), toSegments(second)];
  if (first.method !== second.method) return false;
  let isPreferred = false;
  for (const [index, word] of words.entries()) {
    const other = others[index];
    if (other === '*') return isPreferred || word !== '*';
    if (other === undefined || word === '*') return false;
    if (word === other) continue;
    // A parameter takes a word, too; at the first difference the word wins.
    if (other !== ':' && (word !== ':' || !isPreferred)) return false;
    isPreferred = true;
  }
  return isPreferred && words.length === others.length;
}
