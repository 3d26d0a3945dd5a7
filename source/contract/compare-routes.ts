import type { ApiRoute } from '../document/api-operation.ts';
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
  const olds: readonly ApiRoute[] = [old, ...old.otherRoutes];
  const news: readonly ApiRoute[] = [now, ...now.otherRoutes];
  const gone = olds.filter((route) => !news.some((other) => covers(other, route)));
  const come = news.filter((route) => !olds.some((other) => toRouteShape(other) === toRouteShape(route)));
  const wider = come.filter((route) => olds.some((other) => covers(route, other)));
  const fresh = come.filter((route) => !wider.includes(route));
  const [from, to] = [gone[0], fresh[0]];
  if (gone.length === 1 && fresh.length === 1 && from !== undefined && to !== undefined) {
    const texts = { before: toRoute(from), after: toRoute(to) };
    const message = `route changed from ${texts.before} to ${texts.after}`;
    return [toChange('route-changed', { at: 'route', message, ...texts })];
  }
  return [
    ...gone.map((route) => toChange('route-removed', { at: 'route', message: `route ${toRoute(route)} was removed` })),
    ...[...fresh, ...wider].map((route) =>
      toChange('route-added', { at: 'route', message: `route ${toRoute(route)} was added` }),
    ),
  ];
}

/** Whether every request of the second route matches the first: a wildcard takes what a parameter in its place took. */
function covers(wide: ApiRoute, narrow: ApiRoute): boolean {
  if (toRouteShape(wide) === toRouteShape(narrow)) return true;
  const [some, all] = [toSegments(narrow), toSegments(wide)];
  const isCovered = all.every((segment, index) => {
    const other = some[index];
    if (segment.startsWith('*')) return other !== undefined && isOpen(other);
    return other !== undefined && (segment === other || (segment.startsWith(':') && other.startsWith(':')));
  });
  return (
    wide.method === narrow.method && isCovered && (some.length === all.length || all.at(-1)?.startsWith('*') === true)
  );
}

/**
 * The routes with a parameter that a new route of another capability takes requests from, by the keys of their
 * capabilities.
 */
export function findShadows(
  olds: readonly Side[],
  news: readonly Side[],
): ReadonlyMap<string, readonly ContractChange[]> {
  const toRoutes = (sides: readonly Side[]) =>
    sides.flatMap(({ key, operation }) => [operation, ...operation.otherRoutes].map((route) => ({ key, route })));
  const known = new Set(toRoutes(olds).map(({ route }) => toRouteShape(route)));
  const kept = toRoutes(news).filter(({ route }) => known.has(toRouteShape(route)));
  const found = new Map<string, ContractChange[]>();
  for (const { key, route } of toRoutes(news)) {
    if (known.has(toRouteShape(route))) continue;
    for (const shadowed of kept) {
      if (shadowed.key === key || !shadows(route, shadowed.route)) continue;
      const message = `${toRoute(route)} of \`${key}\` takes requests that ${toRoute(shadowed.route)} took`;
      const change = toChange('route-shadowed', { at: 'route', message });
      found.set(shadowed.key, [...(found.get(shadowed.key) ?? []), change]);
    }
  }
  return found;
}

/**
 * Whether some requests match both routes, and the first one is preferred: it has a word where the other one has a
 * parameter.
 */
function shadows(first: ApiRoute, second: ApiRoute): boolean {
  if (first.method !== second.method) return false;
  const [words, others] = [toSegments(first), toSegments(second)];
  let isPreferred = false;
  for (const [index, word] of words.entries()) {
    const other = others[index];
    if (other?.startsWith('*')) return isPreferred || !word.startsWith('*');
    if (other === undefined || word.startsWith('*')) return false;
    if (word === other || (isOpen(word) && isOpen(other))) continue;
    if (!isOpen(other)) {
      // A parameter takes the word, too; at the first difference the word wins.
      if (!isOpen(word) || !isPreferred) return false;
      continue;
    }
    isPreferred = true;
  }
  return isPreferred && words.length === others.length;
}

function toSegments({ path }: ApiRoute): readonly string[] {
  return path.split('/').filter((segment) => segment !== '');
}

function isOpen(segment: string): boolean {
  return segment.startsWith(':') || segment.startsWith('*');
}
