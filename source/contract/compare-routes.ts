import type { ApiOperation, ApiRoute } from '../document/api-operation.ts';
import type { ContractChange } from './changes/contract-change.ts';
import { toChange } from './changes/rules.ts';
import type { Side } from './compare.ts';
import { compareMembers } from './compare-facts.ts';

/** `GET /users/:id` */
export function toRoute({ method, path }: ApiRoute): string {
  return `${method} ${path}`.trim();
}

/** The requests that match a route, whatever its parameters are called: `GET /users/:`. */
export function toRouteShape({ method, path }: ApiRoute): string {
  return `${method} ${toSegments({ method, path }).join('/')}`;
}

export function toRoutes(operation: ApiOperation): readonly ApiRoute[] {
  return [operation, ...operation.otherRoutes];
}

/** Compares all routes of a capability: their order says nothing. */
export function compareRoutes(old: ApiOperation, now: ApiOperation): readonly ContractChange[] {
  const [olds, news] = [toRoutes(old), toRoutes(now)];
  const gone = olds.filter((route) => !news.some((other) => covers(other, route)));
  const come = news.filter(
    (route) => !olds.some((other) => toRouteShape(other) === toRouteShape(route)),
  );
  const fresh = come.filter((route) => !olds.some((other) => covers(route, other)));
  if (gone.length === 1 && fresh.length === 1) {
    const [before, after] = [...gone, ...fresh].map(toRoute);
    const message = `route changed from ${before} to ${after}`;
    return [toChange('route-changed', { at: 'route', message, before, after })];
  }
  const toNames = (routes: readonly ApiRoute[]) => routes.map((route) => `route ${toRoute(route)}`);
  return compareMembers(toNames(gone), toNames(come), {
    at: 'route',
    rules: ['route-added', 'route-removed'],
  });
}

/**
 * The words of a path, `:` for a parameter and `*` for one that takes the rest; text beside a parameter stays:
 * `{}.zip`.
 * A slash at the end is an empty word.
 */
function toSegments({ path }: ApiRoute): readonly string[] {
  return path
    .split('/')
    .slice(1)
    .map((segment) => /^[:*](?=.)/.exec(segment)?.[0] ?? segment.replaceAll(/\{[^{}]+\}/g, '{}'));
}

/** Whether every request of the second route matches the first: a wildcard takes what a parameter in its place took. */
function covers(wide: ApiRoute, narrow: ApiRoute): boolean {
  const [some, all] = [toSegments(narrow), toSegments(wide)];
  if (wide.method !== narrow.method || !(some.length === all.length || all.at(-1) === '*'))
    return false;
  return all.every((segment, at) => segment === some[at] || (segment === '*' && some[at] === ':'));
}

export interface KeyedRoute {
  readonly key: string;
  readonly route: ApiRoute;
}

/** Whether new routes of other capabilities take requests from those that a capability had. */
export function compareShadows(
  { key, operation }: Side,
  fresh: readonly KeyedRoute[],
): readonly ContractChange[] {
  const shapes = new Set(fresh.map(({ route }) => toRouteShape(route)));
  const kept = toRoutes(operation).filter((route) => !shapes.has(toRouteShape(route)));
  return kept.flatMap((old) =>
    fresh
      .filter((each) => each.key !== key && shadows(each.route, old))
      .map(({ key: other, route }) => {
        const message = `${toRoute(route)} of \`${other}\` takes requests that ${toRoute(old)} took`;
        return toChange('route-shadowed', { at: 'route', message });
      }),
  );
}

/** Whether some requests match both, and the first is preferred: it has a word where the other has a parameter. */
function shadows(first: ApiRoute, second: ApiRoute): boolean {
  const [words, others] = [toSegments(first), toSegments(second)];
  if (first.method !== second.method) return false;
  let isPreferred = false;
  for (const [at, word] of words.entries()) {
    const other = others[at];
    if (other === '*') return isPreferred || word !== '*';
    if (other === undefined || word === '*') return false;
    if (word === other) continue;
    // A parameter takes a word, too; at the first difference the word wins.
    if (other !== ':' && (word !== ':' || !isPreferred)) return false;
    isPreferred = true;
  }
  return isPreferred && words.length === others.length;
}
