import type { Intent } from '../capability/definition.ts';
import type { DeclaredRoute, HttpMethod } from '../capability/http.ts';
import { type GroupPath, type RouteRule, toUrlCase, type UrlCase } from './infer-route.ts';
import { findFurtherVerb } from './name-rules.ts';
import { type PathSegment, parsePathPattern, toPathShape } from './path-pattern.ts';

/** The facts that the route of a capability depends on. */
export interface RoutedOperation {
  /** `<group>.<name>`, unique in the table. */
  readonly key: string;
  /** The group path from the outside in; empty at the root. */
  readonly groups: readonly string[];
  /** Paths that groups have in place of their names. */
  readonly groupPaths?: readonly GroupPath[] | undefined;
  readonly name: string;
  /** Whether the input object has a field named exactly `id`. */
  readonly hasId: boolean;
  /** The intent that was declared, if any. */
  readonly declaredIntent?: Intent | undefined;
  /** Stated on the capability in place of the inferred one: the first is its route, the others lead to it too. */
  readonly declaredRoutes?: readonly DeclaredRoute[] | undefined;
}

export interface Route<T extends RoutedOperation = RoutedOperation> {
  readonly operation: T;
  readonly method: HttpMethod;
  /** `/users/:id`; begins with a slash and ends with none, except for `/` itself. */
  readonly path: string;
  readonly segments: readonly PathSegment[];
  /** Parameter names in the order of the path, each once. */
  readonly params: readonly string[];
  readonly rule: RouteRule;
}

/** A route that is stated instead of inferred. */
export interface RouteOverride extends DeclaredRoute {}

/** Overrides by `<group>.<name>`. */
export type RouteOverrides<Key extends string = string> = { readonly [Name in Key]?: RouteOverride | undefined };

export interface SuggestOverrideOptions {
  readonly urlCase: UrlCase;
  /** Stands before the path that is suggested. */
  readonly prefix: string;
  /** `<method> <shape>` of every route that exists; the suggestion is added. */
  readonly taken: Set<string>;
}

/** A free route for a capability whose own is taken: its full name as the path, with the parameters that it had. */
export function suggestOverride(route: Route, { urlCase, prefix, taken }: SuggestOverrideOptions): RouteOverride {
  const { groups, name } = route.operation;
  const base = [...groups, name].map((word) => toUrlCase(word, urlCase)).join('/');
  const params = route.params.map((param) => `/:${param}`).join('');
  for (let attempt = 1; ; attempt++) {
    const path = `/${base}${attempt === 1 ? '' : `-${attempt}`}${params}` as const;
    const pattern = parsePathPattern(`${prefix}${path}`);
    const shape = `${route.method} ${pattern.kind === 'pattern' ? toPathShape(pattern.segments) : path}`;
    if (!taken.has(shape)) {
      taken.add(shape);
      return { method: route.method, path };
    }
  }
}

/** An override as it is written in `overrides: { … }`. */
export function toOverrideLine(key: string, { method, path }: RouteOverride): string {
  return `'${key}': { method: '${method}', path: '${path}' }`;
}

/** A fault of a route table. A server does not start on an error; `message` says what to do. */
export type RouteProblem = DuplicateRoute | InvalidOverride | UnknownOverride | IntentContradiction | NameSaysMore;

/** Two capabilities answer the same requests; the first one declared would take them all. */
export interface DuplicateRoute {
  readonly kind: 'duplicate-route';
  readonly severity: 'error';
  /** The two keys in the order of declaration. */
  readonly keys: readonly [string, string];
  readonly method: HttpMethod;
  readonly path: string;
  /** A free route for the second key. */
  readonly override: RouteOverride;
  readonly message: string;
}

export interface InvalidOverride {
  readonly kind: 'invalid-override';
  readonly severity: 'error';
  readonly key: string;
  readonly message: string;
}

/** An override that changes nothing. A warning for a server that starts; `check` counts it as an error. */
export interface UnknownOverride {
  readonly kind: 'unknown-override';
  readonly severity: 'warning';
  readonly key: string;
  /** The key that was probably meant. */
  readonly nearest: string | undefined;
  readonly message: string;
}

/** A name that says more than its first word, which alone decides the route. */
export interface NameSaysMore {
  readonly kind: 'name-says-more';
  readonly severity: 'warning';
  readonly key: string;
  readonly message: string;
}

/** Undefined for a name that says no more than its first word. */
export function toFurtherVerbMessage({
  key,
  name,
}: {
  readonly key: string;
  readonly name: string;
}): string | undefined {
  const verb = findFurtherVerb(name);
  const [first = ''] = /^[a-z]+/.exec(name) ?? [];
  if (verb === undefined) return undefined;
  return (
    `The route of \`${key}\` follows from \`${first}\` alone, although its name also says \`${verb}\`. Rename it ` +
    'after what it changes.'
  );
}

/** A declared intent that the name's prefix rule beats. */
export interface IntentContradiction {
  readonly kind: 'intent-contradiction';
  readonly severity: 'warning';
  readonly key: string;
  readonly declared: Intent;
  readonly effective: Intent;
  readonly message: string;
}
