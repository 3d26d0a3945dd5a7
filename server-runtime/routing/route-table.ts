import { httpMethods, isHttpMethod } from '../capability/http.ts';
import { findNearest } from '../errors/expect-options.ts';
import { inferRoute, toUrlCase, type UrlCase } from './infer-route.ts';
import { contradictsName, findFurtherVerb, inferIntent, matchNameRule } from './name-rules.ts';
import { parsePathPattern, toPathShape, toPrefix } from './path-pattern.ts';
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
  const overridesByKey = new Map(Object.entries(overrides));
  const problems: RouteProblem[] = [];
  const routes = operations.map((operation) => {
    const statement: Statement = overridesByKey.has(operation.key)
      ? { rule: 'override', stated: overridesByKey.get(operation.key), prefix }
      : { rule: 'declared', stated: operation.declaredRoutes?.[0], prefix };
    const isStated = statement.rule === 'override' || statement.stated !== undefined;
    const stated = isStated ? parseStated(operation, statement, problems) : undefined;
    const route = stated ?? toInferredRoute(operation, { urlCase, prefix });
    problems.push(...findNameProblems(route));
    return route;
  });
  const unknown = findUnknownOverrides(overridesByKey.keys(), operations);
  const others = operations.flatMap((operation) =>
    (operation.declaredRoutes ?? [])
      .slice(1)
      .flatMap((stated) => parseStated(operation, { rule: 'declared', stated, prefix }, problems) ?? []),
  );
  const duplicates = findDuplicates([...routes, ...others], { urlCase, prefix });
  return { routes, others, problems: [...problems, ...unknown, ...duplicates] };
}

interface Statement {
  readonly rule: 'declared' | 'override';
  readonly stated: RouteOverride | undefined;
  readonly prefix: string;
}

function parseStated<T extends RoutedOperation>(
  operation: T,
  { rule, stated, prefix }: Statement,
  problems: RouteProblem[],
): Route<T> | undefined {
  const { key } = operation;
  const noun = rule === 'override' ? 'override' : 'route';
  const refuse = (reason: string): undefined => {
    problems.push({
      kind: 'invalid-override',
      severity: 'error',
      key,
      message: `The ${noun} of \`${key}\` ${reason}.`,
    });
  };
  if (typeof stated?.method !== 'string' || typeof stated.path !== 'string') {
    return refuse("is not of the form { method: 'GET', path: '/…' }; give it both");
  }
  const method = stated.method.toUpperCase();
  if (method === 'HEAD' || method === 'OPTIONS')
    return refuse(`takes ${method}, which is answered for every path already; use another method`);
  if (!isHttpMethod(method))
    return refuse(`has the method ${JSON.stringify(stated.method)}; use one of ${httpMethods.join(', ')}`);
  const own = parsePathPattern(stated.path);
  if (own.kind === 'invalid') return refuse(`has a path that ${own.reason}`);
  const pattern = prefix === '' ? own : parsePathPattern(`${prefix}${own.path}`);
  if (pattern.kind === 'invalid') return refuse(`has a path that ${pattern.reason}`);
  const { path, segments, params } = pattern;
  return { operation, method, path, segments, params, rule: { id: rule } };
}

function toInferredRoute<T extends RoutedOperation>(operation: T, { urlCase, prefix }: PathStyle): Route<T> {
  const { groups, groupPaths, name, hasId, declaredIntent: intent } = operation;
  const { method, path, rule } = inferRoute({ groups, groupPaths, name, hasId, intent, urlCase });
  const pattern = parsePathPattern(`${prefix}${path}`);
  if (pattern.kind === 'invalid')
    throw new TypeError(`The key \`${operation.key}\` gives a path that ${pattern.reason}.`);
  const { segments, params } = pattern;
  return { operation, method, path: pattern.path, segments, params, rule };
}

interface PathStyle {
  readonly urlCase: UrlCase;
  readonly prefix: string;
}

function findNameProblems({ operation, method, path }: Route): readonly RouteProblem[] {
  const { key, name, declaredIntent: intent } = operation;
  const problems: RouteProblem[] = [];
  if (intent !== undefined && contradictsName(name, intent)) {
    const effective = inferIntent(name, intent);
    const prefix = matchNameRule(name, intent)?.prefix ?? '';
    const message =
      `\`${key}\` declares the intent \`${intent}\`, but its name starts with \`${prefix}\`, which makes it ` +
      `\`${effective}\` (${method} ${path}). Rename it, or declare \`${effective}\` or nothing.`;
    problems.push({ kind: 'intent-contradiction', severity: 'warning', key, message });
  }
  const message = toFurtherVerbMessage(operation);
  if (message !== undefined) problems.push({ kind: 'name-says-more', severity: 'warning', key, message });
  return problems;
}

/** Undefined for a name that says no more than its first word. */
export function toFurtherVerbMessage({ key, name }: Pick<RoutedOperation, 'key' | 'name'>): string | undefined {
  const verb = findFurtherVerb(name);
  const [first = ''] = /^[a-z]+/.exec(name) ?? [];
  if (verb === undefined) return undefined;
  return (
    `The route of \`${key}\` follows from \`${first}\` alone, although its name also says \`${verb}\`. Rename it ` +
    'after what it changes.'
  );
}

function findUnknownOverrides(overrideKeys: Iterable<string>, operations: readonly RoutedOperation[]): RouteProblem[] {
  const keys = new Set(operations.map(({ key }) => key));
  return [...overrideKeys]
    .filter((key) => !keys.has(key))
    .map((key) => {
      const nearest = findNearest(key, keys);
      const hint = nearest === undefined ? 'Remove it, or correct the key.' : `Did you mean \`${nearest}\`?`;
      const message = `\`overrides\` has an entry for \`${key}\`, but no capability has that key. ${hint}`;
      return { kind: 'unknown-override', severity: 'warning', key, nearest, message } as const;
    });
}

function findDuplicates(routes: readonly Route[], style: PathStyle): RouteProblem[] {
  const firstOf = new Map<string, Route>();
  const duplicates: (readonly [first: Route, second: Route])[] = [];
  for (const route of routes) {
    const shape = `${route.method} ${toPathShape(route.segments)}`;
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

/** A route that is not `taken` yet: the full name as the path, with the parameters that it had. */
function suggestOverride(route: Route, { urlCase, prefix }: PathStyle, taken: Set<string>): RouteOverride {
  const { groups, name } = route.operation;
  const base = [...groups, name].map((word) => toUrlCase(word, urlCase)).join('/');
  const params = route.params.map((param) => `/:${param}`).join('');
  for (let attempt = 1; ; attempt++) {
    const path = `/${base}${attempt === 1 ? '' : `-${attempt}`}${params}` as const;
    const pattern = parsePathPattern(`${prefix}${path}`);
    const shape = `${route.method} ${pattern.kind === 'pattern' ? toPathShape(pattern.segments) : path}`;
    if (taken.has(shape)) continue;
    taken.add(shape);
    return { method: route.method, path };
  }
}
