import type { Intent } from '../capability/definition.ts';
import type { DeclaredRoute, HttpMethod } from '../capability/http.ts';
import type { PathPattern } from './path-pattern.ts';

/** A group around a capability, as `group(…)` declares it. */
export interface GroupAround {
  /** The number of groups down to it; 0 for the whole tree. */
  readonly at: number;
  /** Stands in place of its name in routes. */
  readonly path?: string | undefined;
  readonly text?: string | undefined;
}

export interface RoutedOperation {
  /** `<group>.<name>`, unique in the table. */
  readonly key: string;
  readonly groups: readonly string[];
  /** The outermost first. */
  readonly groupsAround?: readonly GroupAround[] | undefined;
  readonly name: string;
  readonly hasId: boolean;
  readonly declaredIntent?: Intent | undefined;
  readonly declaredRoutes?: readonly DeclaredRoute[] | undefined;
  /** The guards that read parameters, which each route must have. */
  readonly readingGuards?: readonly ReadingGuard[] | undefined;
}

interface ReadingGuard {
  readonly name: string;
  readonly params: readonly string[];
}

export interface Route<T extends RoutedOperation = RoutedOperation> extends PathPattern {
  readonly operation: T;
  readonly method: HttpMethod;
  readonly rule: RouteRule;
}

export type RouteRule =
  | {
      readonly id:
        | 'get-by-id'
        | 'collection'
        | 'get-remainder'
        | 'create'
        | 'un'
        | 'update'
        | 'replace'
        | 'delete';
      readonly prefix: string;
    }
  | { readonly id: 'named-query' | 'named-mutation'; readonly intent: Intent }
  | { readonly id: 'declared' | 'override' };

export type RouteOverrides<Key extends string = string> = {
  readonly [Name in Key]?: DeclaredRoute | undefined;
};

export function toOverrideLine(key: string, { method, path }: DeclaredRoute): string {
  return `'${key}': { method: '${method}', path: '${path}' }`;
}

/** A fault of a route table. A server with an error does not start; `message` explains what to do. */
export type RouteProblem = {
  readonly severity: 'error' | 'warning';
  /** The key of the capability; of two that clash that of the second. */
  readonly key: string;
  readonly message: string;
} & (
  | {
      /** Two capabilities answer the same requests; `override` is a free route for the second. */
      readonly kind: 'duplicate-route';
      readonly keys: readonly [string, string];
      readonly method: HttpMethod;
      readonly path: string;
      readonly override: DeclaredRoute;
    }
  | {
      readonly kind:
        | 'invalid-override'
        | 'missing-param'
        | 'unknown-override'
        | 'name-says-more'
        | 'intent-contradiction';
    }
);
