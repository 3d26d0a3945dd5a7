import type { Branch } from '../document/branch.ts';
import type { ApiOperation, ApiRoute } from '../document/operations/api-operation.ts';
import { toBranches } from '../document/read-branches.ts';
import { type ContractChange, compareMembers, toChange } from './changes/contract-change.ts';
import type { Side } from './compare-sides.ts';

/** `GET /users/:id` */
export function toRoute({ method, path }: ApiRoute): string {
  return [method, path].filter(Boolean).join(' ');
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
  const older = toRoutes(old);
  const newer = toRoutes(now);
  const removed = older.filter((route) => !newer.some((other) => covers(other, route)));
  const shapes = new Set(older.map(toRouteShape));
  const added = newer.filter((route) => !shapes.has(toRouteShape(route)));
  // A route that covers an old one is wider, and takes the place of no other.
  const unrelated = added.filter((route) => !older.some((other) => covers(route, other)));
  const [from, ...otherRemoved] = removed;
  const [to, ...otherAdded] = unrelated;
  if (from && to && otherRemoved.length + otherAdded.length === 0) {
    const before = toRoute(from);
    const after = toRoute(to);
    const message = `route changed from ${before} to ${after}`;
    return [toChange('route-changed', { at: 'route', message, before, after })];
  }
  const toNames = (routes: readonly ApiRoute[]) => routes.map((route) => `route ${toRoute(route)}`);
  return compareMembers(toNames(removed), toNames(added), {
    at: 'route',
    added: 'route-added',
    removed: 'route-removed',
  });
}

/**
 * The words of a path, `:` for a parameter and `*` for one that takes the rest. Text beside a parameter stays, as in
 * `{}.zip`, and a slash at the end is an empty word.
 */
function toSegments({ path }: ApiRoute): readonly string[] {
  return path
    .split('/')
    .slice(1)
    .map((segment) => /^[:*](?=.)/.exec(segment)?.[0] ?? segment.replaceAll(/\{[^{}]+\}/g, '{}'));
}

/** Whether every request of the second route matches the first: a wildcard takes what a parameter in its place took. */
function covers(wide: ApiRoute, narrow: ApiRoute): boolean {
  const some = toSegments(narrow);
  const all = toSegments(wide);
  if (wide.method !== narrow.method || !(some.length === all.length || all.at(-1) === '*'))
    return false;
  return all.every((segment, at) => segment === some[at] || (segment === '*' && some[at] === ':'));
}

/** Whether a key consists of its route: operations of others have no better one where they have no `operationId`. */
export function namesRoute(key: string, route: string): boolean {
  const words = key.replaceAll(/\{([^{}]+)\}/g, ':$1').split(' ');
  return route.split(' ').every((word) => words.includes(word));
}

interface KeyedRoute {
  readonly key: string;
  readonly route: ApiRoute;
}

/** Whether new routes of other capabilities take requests from those that a capability had. */
export function compareShadows(
  { key, operation }: Side,
  fresh: readonly KeyedRoute[],
): readonly ContractChange[] {
  if (fresh.length === 0) return [];
  const shapes = new Set(fresh.map(({ route }) => toRouteShape(route)));
  const remaining = toRoutes(operation).filter((route) => !shapes.has(toRouteShape(route)));
  return remaining.flatMap((old) =>
    fresh
      .filter((each) => each.key !== key && shadows(each.route, old))
      .filter((each) => takesWords(operation, old, each.route))
      .map(({ key: other, route }) => {
        const owner = namesRoute(other, toRoute(route)) ? '' : ` of \`${other}\``;
        const message = `${toRoute(route)}${owner} takes requests that ${toRoute(old)} took`;
        return toChange('route-shadowed', { at: 'route', message });
      }),
  );
}

/** Whether the parameters of a route took the words that another one has in their places. */
function takesWords(operation: ApiOperation, old: ApiRoute, fresh: ApiRoute): boolean {
  const words = fresh.path.split('/');
  return old.path.split('/').every((segment, at) => {
    const word = words[at];
    if (!segment.startsWith(':') || word === undefined || /^[:*]|\{/.test(word)) return true;
    const schema = operation.parameters.find(
      ({ name, in: place }) => place === 'path' && name === segment.slice(1),
    )?.schema;
    return schema === undefined || toBranches(schema).some((branch) => takesWord(branch, word));
  });
}

function takesWord({ type, values }: Branch, word: string): boolean {
  if (values !== undefined) return values.some((value) => String(value) === word);
  if (type === 'number' || type === 'integer') return Number.isFinite(Number(word));
  return type !== 'boolean' || word === 'true' || word === 'false';
}

/** Whether some requests match both, and the first is preferred: it has a word where the other has a parameter. */
function shadows(first: ApiRoute, second: ApiRoute): boolean {
  const words = toSegments(first);
  const others = toSegments(second);
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
