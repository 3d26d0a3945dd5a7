import { type DeclaredRoute, httpMethods, isHttpMethod } from '../capability/http.ts';
import { findNearest } from '../errors/expect-options.ts';
import {
  findContradicted,
  findFurtherVerb,
  inferRoute,
  toUrlCase,
  type UrlCase,
} from './infer-route.ts';
import { type PathPattern, parsePathPattern, toPrefix } from './path-pattern.ts';
import {
  type Route,
  type RoutedOperation,
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

/** Gives every operation its route, and lists the faults. @throws TypeError for groups with an invalid path */
export function toRouteTable<T extends RoutedOperation>(
  operations: readonly T[],
  { urlCase = 'kebab', overrides = {}, prefix: prefixOption }: RouteTableOptions = {},
): RouteTable<T> {
  const prefix = toPrefix(prefixOption);
  const problems: RouteProblem[] = [];
  const routes: Route<T>[] = [];
  const others: Route<T>[] = [];
  const state = (
    operation: T,
    stated: DeclaredRoute | undefined,
    id: 'declared' | 'override',
  ): Route<T> | undefined => {
    const { key } = operation;
    const route = parseRoute(stated, prefix);
    if (typeof route !== 'string') return { ...route, operation, rule: { id } };
    const message = `The ${id === 'override' ? id : 'route'} of \`${key}\` ${route}.`;
    problems.push({ kind: 'invalid-override', severity: 'error', key, message });
    return undefined;
  };
  for (const operation of operations) {
    const { key, declaredRoutes = [] } = operation;
    const declared = declaredRoutes[0];
    const own = Object.hasOwn(overrides, key)
      ? state(operation, overrides[key], 'override')
      : declared && state(operation, declared, 'declared');
    const stated = own ?? inferRoute(operation, urlCase);
    const route = own ?? parseRoute(stated, prefix);
    if (typeof route === 'string') throw new TypeError(`The key \`${key}\` ${route}.`);
    routes.push({ ...route, rule: stated.rule, operation });
    const more = declaredRoutes.slice(1);
    others.push(...more.flatMap((each) => state(operation, each, 'declared') ?? []));
  }
  const all = [...routes, ...others];
  problems.push(...all.flatMap(findMissingParams));
  for (const route of routes) addNameProblems(problems, route);
  const keys = new Set(operations.map(({ key }) => key));
  const unknown = Object.keys(overrides).filter((key) => !keys.has(key));
  problems.push(...unknown.map((key) => toUnknownOverride(key, keys)));
  return {
    routes,
    others,
    problems: [...problems, ...findDuplicates(all, urlCase, prefix)],
  };
}

/** Gives the reason, as the rest of a sentence, where it cannot be one. */
function parseRoute(
  stated: Readonly<Record<'method' | 'path', string>> | undefined,
  prefix: string,
): (PathPattern & Pick<Route, 'method'>) | string {
  if (typeof stated?.method !== 'string' || typeof stated.path !== 'string')
    return "is not of the form { method: 'GET', path: '/…' }; give it both";
  const method = stated.method.toUpperCase();
  if (!isHttpMethod(method))
    return `has the method ${JSON.stringify(stated.method)}; use one of ${httpMethods.join(', ')}`;
  const pattern = parsePathPattern(
    stated.path.startsWith('/') ? `${prefix}${stated.path}` : stated.path,
  );
  return typeof pattern === 'string' ? `has a path that ${pattern}` : { ...pattern, method };
}

/** A guard that reads a parameter would refuse every request of a route without it. */
function findMissingParams({ operation, method, path, params }: Route): readonly RouteProblem[] {
  const { key, readingGuards = [] } = operation;
  return readingGuards.flatMap((guard) =>
    guard.params
      .filter((name) => !params.includes(name))
      .map((name): RouteProblem => {
        const message =
          `\`${key}\` is ${method} ${path}, and its guard \`${guard.name}\` reads the parameter \`:${name}\`. ` +
          `Give the route that parameter: group('/…/:${name}', …) around it, ` +
          `or .route('${method}', '/…/:${name}').`;
        return { kind: 'missing-param', severity: 'error', key, message };
      }),
  );
}

function addNameProblems(problems: RouteProblem[], { operation, method, path }: Route): void {
  const { key, name, declaredIntent } = operation;
  const severity = 'warning';
  const rule = findContradicted(name, declaredIntent);
  if (rule !== undefined) {
    const message =
      `\`${key}\` declares the intent \`${declaredIntent}\`, but its name starts with \`${rule.prefix}\`, which ` +
      `makes it \`${rule.intent}\` (${method} ${path}). Rename it, or declare \`${rule.intent}\` or nothing.`;
    problems.push({ kind: 'intent-contradiction', severity, key, message });
  }
  const message = toFurtherVerbMessage(operation);
  if (message !== undefined) problems.push({ kind: 'name-says-more', severity, key, message });
}

export function toFurtherVerbMessage({
  key,
  name,
}: Pick<RoutedOperation, 'key' | 'name'>): string | undefined {
  const verb = findFurtherVerb(name);
  if (verb === undefined) return undefined;
  return (
    `The route of \`${key}\` follows from \`${/^[a-z]*/.exec(name)?.[0]}\` alone, although its name also says ` +
    `\`${verb}\`. Rename it after what it changes.`
  );
}

function toUnknownOverride(key: string, keys: ReadonlySet<string>): RouteProblem {
  const nearest = findNearest(key, keys);
  const hint =
    nearest === undefined ? 'Remove it, or correct the key.' : `Did you mean \`${nearest}\`?`;
  const message = `\`overrides\` has an entry for \`${key}\`, but no capability has that key. ${hint}`;
  return { kind: 'unknown-override', severity: 'warning', key, message };
}

function findDuplicates(
  routes: readonly Route[],
  urlCase: UrlCase,
  prefix: string,
): RouteProblem[] {
  const firstOf = new Map(routes.toReversed().map((route) => [toShape(route), route]));
  if (firstOf.size === routes.length) return [];
  const taken = new Set(firstOf.keys());
  /** The full name as the path, with the parameters that it had. */
  const findFree = ({ method, params, operation: { groups, name } }: Route): DeclaredRoute => {
    const base = [...groups, name].map((word) => toUrlCase(word, urlCase)).join('/');
    for (let attempt = 1; ; attempt++) {
      const path =
        `/${base}${attempt === 1 ? '' : `-${attempt}`}${params.map((param) => `/:${param}`).join('')}` as const;
      const { size } = taken;
      taken.add(toShape(parseRoute({ method, path }, prefix) as Route));
      if (taken.size > size) return { method, path };
    }
  };
  return routes.flatMap((route): RouteProblem[] => {
    const first = firstOf.get(toShape(route)) ?? route;
    if (first === route) return [];
    const { method, path, operation } = route;
    const keys = [first.operation.key, operation.key] as const;
    const override = findFree(route);
    const also = first.path === path ? '' : `, the same as ${first.path}`;
    const message =
      `\`${keys[0]}\` and \`${keys[1]}\` are both ${method} ${path}${also}. Rename one, or give it a path of its ` +
      `own:\n  overrides: { ${toOverrideLine(keys[1], override)} }`;
    return [
      {
        kind: 'duplicate-route',
        severity: 'error',
        key: keys[1],
        keys,
        method,
        path,
        override,
        message,
      },
    ];
  });
}

/** The same for all routes that fit the same requests. */
function toShape({ method, routerPath, params }: Route): string {
  return `${method} ${params.length === 0 ? routerPath : routerPath.replaceAll(/:\w+/g, ':')}`;
}
