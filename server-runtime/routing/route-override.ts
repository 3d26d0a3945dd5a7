import type { DeclaredRoute } from '../capability/route/declared-route.ts';
import { toUrlCase, type UrlCase } from './infer/url-case.ts';
import { parsePathPattern, toPathShape } from './path-pattern.ts';
import type { Route } from './route.ts';

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
