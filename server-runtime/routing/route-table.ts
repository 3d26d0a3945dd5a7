import { type DeclaredRoute, httpMethods, isHttpMethod } from '../capability/http.ts';
import { findNearest } from '../errors/expect-options.ts';
import { inferRoute, toUrlCase, type UrlCase } from './infer-route.ts';
import { contradictsName, findFurtherVerb, inferIntent, matchNameRule } from './name-rules.ts';
import { type PathPattern, parsePathPattern, toPrefix } from './path-pattern.ts';
import { type Route, type RoutedOperation, type RouteOverrides, type RouteProblem, toOverrideLine } from './route.ts';

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
  const routes: Route<T>[] = [];
  const others: Route<T>[] = [];
  for (const operation of operations) {
    const { key, declaredRoutes: [declared, ...more] = [] } = operation;
    const state = (stated: DeclaredRoute | undefined, id: 'declared' | 'override'): readonly Route<T>[] => {
      const route = parseRoute(stated, prefix);
      if (typeof route !== 'string') return [{ ...route, operation, rule: { id } }];
      const message = `The ${id === 'override' ? id : 'route'} of \`${key}\` ${route}.`;
      invalid.push({ kind: 'invalid-override', severity: 'error', key, message });
      return [];
    };
    const isOverridden = Object.hasOwn(overrides, key);
    const isStated = isOverridden || declared !== undefined;
    const [own] = isStated
      ? state(isOverridden ? overrides[key] : declared, isOverridden ? 'override' : 'declared')
      : [];
    const { rule, ...inferred } = inferRoute(operation, urlCase);
    const route = own ?? parseRoute(inferred, prefix);
    if (typeof route === 'string') throw new TypeError(`The key \`${key}\` ${route}.`);
    routes.push({ rule, ...route, operation });
    others.push(...more.flatMap((each) => state(each, 'declared')));
  }
  const unknown = findUnknownOverrides(Object.keys(overrides), operations);
  const duplicates = findDuplicates([...routes, ...others], urlCase, prefix);
  return { routes, others, problems: [...invalid, ...routes.flatMap(findNameProblems), ...unknown, ...duplicates] };
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
  const pattern = parsePathPattern(stated.path.startsWith('/') ? `${prefix}${stated.path}` : stated.path);
  return typeof pattern === 'string' ? `has a path that ${pattern}` : { ...pattern, method };
}

function findNameProblems({ operation, method, path }: Route): readonly RouteProblem[] {
  const { key, name, declaredIntent: intent } = operation;
  const problems: RouteProblem[] = [];
  const warn = (kind: 'intent-contradiction' | 'name-says-more', message: string): void =>
    void problems.push({ kind, severity: 'warning', key, message });
  if (intent !== undefined && contradictsName(name, intent)) {
    const effective = inferIntent(name, intent);
    warn(
      'intent-contradiction',
      `\`${key}\` declares the intent \`${intent}\`, but its name starts with ` +
        `\`${matchNameRule(name, intent)?.prefix}\`, which makes it \`${effective}\` (${method} ${path}). Rename it, ` +
        `or declare \`${effective}\` or nothing.`,
    );
  }
  const message = toFurtherVerbMessage(operation);
  if (message !== undefined) warn('name-says-more', message);
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

function findDuplicates(routes: readonly Route[], urlCase: UrlCase, prefix: string): RouteProblem[] {
  const firstOf = new Map<string, Route>();
  for (const route of routes) if (!firstOf.has(toShape(route))) firstOf.set(toShape(route), route);
  const taken = new Set(firstOf.keys());
  /** The full name as the path, with the parameters that it had. */
  const findFree = ({ method, params, operation: { groups, name } }: Route): DeclaredRoute => {
    const base = [...groups, name].map((word) => `/${toUrlCase(word, urlCase)}`).join('');
    for (let attempt = 1; ; attempt++) {
      const path = `${base}${attempt === 1 ? '' : `-${attempt}`}${params.map((param) => `/:${param}`).join('')}`;
      const route = parseRoute({ method, path }, prefix);
      const shape = typeof route === 'string' ? '' : toShape(route);
      if (taken.has(shape)) continue;
      taken.add(shape);
      return { method, path: path as `/${string}` };
    }
  };
  return routes.flatMap((route) => {
    const first = firstOf.get(toShape(route)) ?? route;
    if (first === route) return [];
    const { method, path, operation } = route;
    const keys = [first.operation.key, operation.key] as const;
    const override = findFree(route);
    const also = first.path === path ? '' : `, the same as ${first.path}`;
    const message =
      `\`${keys[0]}\` and \`${keys[1]}\` are both ${method} ${path}${also}. Rename one, or give it a path of its ` +
      `own:\n  overrides: { ${toOverrideLine(keys[1], override)} }`;
    return { kind: 'duplicate-route', severity: 'error', key: keys[1], keys, method, path, override, message };
  });
}

/** The same for all routes that fit the same requests. */
function toShape({ method, routerPath }: Pick<Route, 'method' | 'routerPath'>): string {
  return `${method} ${routerPath.replaceAll(/:\w+/g, ':')}`;
}
