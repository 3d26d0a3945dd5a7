import { httpMethods, isHttpMethod } from '../capability/http.ts';
import { findNearest } from '../errors/expect-options.ts';
import { inferRoute, toUrlCase, type UrlCase } from './infer-route.ts';
import { contradictsName, findFurtherVerb, inferIntent, matchNameRule } from './name-rules.ts';
import { type PathPattern, parsePathPattern, toPrefix, toRouterPath } from './path-pattern.ts';
import {
  type Route,
  type RoutedOperation,
  type RouteOverride,
  type RouteOverrides,
  type RouteProblem,
  toOverrideLine,
} from './route.ts';

export interface RouteTableOptions {
  readonly urlCase?: UrlCase | undefined;
  readonly overrides?: RouteOverrides | undefined;
  readonly prefix?: string | undefined;
}

export interface RouteTable<T extends RoutedOperation = RoutedOperation> {
  /** One route for each operation, in their order. Where an override is invalid, the inferred route stays. */
  readonly routes: readonly Route<T>[];
  /** The other routes of an operation: the second and later routes that it declares. */
  readonly others: readonly Route<T>[];
  readonly problems: readonly RouteProblem[];
}

/** Gives every operation its route and tells what is wrong with them. Does not throw. */
export function toRouteTable<T extends RoutedOperation>(
  operations: readonly T[],
  { urlCase = 'kebab', overrides = {}, prefix: given }: RouteTableOptions = {},
): RouteTable<T> {
  const prefix = toPrefix(given);
  const invalid: RouteProblem[] = [];
  const state = (operation: T, stated: RouteOverride | undefined, id: 'declared' | 'override') => {
    const route = toStatedRoute(operation, stated, { id, prefix });
    if (typeof route !== 'string') return route;
    const { key } = operation;
    const message = `The ${id === 'override' ? id : 'route'} of \`${key}\` ${route}.`;
    invalid.push({ kind: 'invalid-override', severity: 'error', key, message });
    return undefined;
  };
  const routes = operations.map((operation) => {
    const { key, declaredRoutes: [declared] = [] } = operation;
    const isOverridden = Object.hasOwn(overrides, key);
    const stated = isOverridden ? state(operation, overrides[key], 'override') : undefined;
    const own = isOverridden || declared === undefined ? stated : state(operation, declared, 'declared');
    return own ?? toInferredRoute(operation, { urlCase, prefix });
  });
  const others = operations.flatMap((operation) =>
    (operation.declaredRoutes ?? []).slice(1).flatMap((stated) => state(operation, stated, 'declared') ?? []),
  );
  const unknown = findUnknownOverrides(Object.keys(overrides), operations);
  const duplicates = findDuplicates([...routes, ...others], { urlCase, prefix });
  return { routes, others, problems: [...invalid, ...routes.flatMap(findNameProblems), ...unknown, ...duplicates] };
}

/** Gives the reason, as the rest of a sentence, where it cannot be one. */
function toStatedRoute<T extends RoutedOperation>(
  operation: T,
  stated: RouteOverride | undefined,
  { id, prefix }: { readonly id: 'declared' | 'override'; readonly prefix: string },
): Route<T> | string {
  if (typeof stated?.method !== 'string' || typeof stated.path !== 'string')
    return "is not of the form { method: 'GET', path: '/…' }; give it both";
  const method = stated.method.toUpperCase();
  if (!isHttpMethod(method))
    return `has the method ${JSON.stringify(stated.method)}; use one of ${httpMethods.join(', ')}`;
  const pattern = parsePathPattern(stated.path.startsWith('/') ? `${prefix}${stated.path}` : stated.path);
  if (typeof pattern === 'string') return `has a path that ${pattern}`;
  return { ...pattern, operation, method, rule: { id } };
}

interface PathStyle {
  readonly urlCase: UrlCase;
  readonly prefix: string;
}

function toInferredRoute<T extends RoutedOperation>(operation: T, { urlCase, prefix }: PathStyle): Route<T> {
  const { method, path, rule } = inferRoute({ ...operation, intent: operation.declaredIntent, urlCase });
  const pattern = parsePathPattern(`${prefix}${path}`);
  if (typeof pattern === 'string') throw new TypeError(`The key \`${operation.key}\` gives a path that ${pattern}.`);
  return { ...pattern, operation, method, rule };
}

function findNameProblems({ operation, method, path }: Route): readonly RouteProblem[] {
  const { key, name, declaredIntent: intent } = operation;
  const problems: RouteProblem[] = [];
  if (intent !== undefined && contradictsName(name, intent)) {
    const effective = inferIntent(name, intent);
    const message =
      `\`${key}\` declares the intent \`${intent}\`, but its name starts with ` +
      `\`${matchNameRule(name, intent)?.prefix}\`, which makes it \`${effective}\` (${method} ${path}). Rename it, ` +
      `or declare \`${effective}\` or nothing.`;
    problems.push({ kind: 'intent-contradiction', severity: 'warning', key, message });
  }
  const message = toFurtherVerbMessage(operation);
  if (message !== undefined) problems.push({ kind: 'name-says-more', severity: 'warning', key, message });
  return problems;
}

export function toFurtherVerbMessage({ key, name }: Pick<RoutedOperation, 'key' | 'name'>): string | undefined {
  const verb = findFurtherVerb(name);
  if (verb === undefined) return undefined;
  return (
    `The route of \`${key}\` follows from \`${/^[a-z]*/.exec(name)?.[0]}\` alone, although its name also says ` +
    `\`${verb}\`. Rename it after what it changes.`
  );
}

function findUnknownOverrides(overridden: readonly string[], operations: readonly RoutedOperation[]): RouteProblem[] {
  const keys = new Set(operations.map(({ key }) => key));
  return overridden
    .filter((key) => !keys.has(key))
    .map((key) => {
      const nearest = findNearest(key, keys);
      const hint = nearest === undefined ? 'Remove it, or correct the key.' : `Did you mean \`${nearest}\`?`;
      const message = `\`overrides\` has an entry for \`${key}\`, but no capability has that key. ${hint}`;
      return { kind: 'unknown-override', severity: 'warning', key, nearest, message };
    });
}

function findDuplicates(routes: readonly Route[], style: PathStyle): RouteProblem[] {
  const firstOf = new Map<string, Route>();
  const duplicates: (readonly [first: Route, second: Route])[] = [];
  for (const route of routes) {
    const shape = toShape(route.method, route);
    const first = firstOf.get(shape);
    if (first === undefined) firstOf.set(shape, route);
    else duplicates.push([first, route]);
  }
  const taken = new Set(firstOf.keys());
  return duplicates.map(([first, route]) => {
    const { method, path, operation } = route;
    const override = suggestOverride(route, style, taken);
    const keys = [first.operation.key, operation.key] as const;
    const also = first.path === path ? '' : `, the same as ${first.path}`;
    const message =
      `\`${keys[0]}\` and \`${keys[1]}\` are both ${method} ${path}${also}. Rename one, or give it a path of its ` +
      `own:\n  overrides: { ${toOverrideLine(operation.key, override)} }`;
    return { kind: 'duplicate-route', severity: 'error', key: operation.key, keys, method, path, override, message };
  });
}

function toShape(method: string, { segments }: PathPattern): string {
  return `${method} ${toRouterPath(segments, () => '')}`;
}

/** A route that is not `taken` yet: the full name as the path, with the parameters that it had. */
function suggestOverride(route: Route, { urlCase, prefix }: PathStyle, taken: Set<string>): RouteOverride {
  const { groups, name } = route.operation;
  const base = [...groups, name].map((word) => toUrlCase(word, urlCase)).join('/');
  const params = route.params.map((param) => `/:${param}`).join('');
  for (let attempt = 1; ; attempt++) {
    const path = `/${base}${attempt === 1 ? '' : `-${attempt}`}${params}` as const;
    const shape = toShape(route.method, parsePathPattern(`${prefix}${path}`) as PathPattern);
    if (taken.has(shape)) continue;
    taken.add(shape);
    return { method: route.method, path };
  }
}
