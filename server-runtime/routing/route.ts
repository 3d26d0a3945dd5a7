import type { Intent } from '../capability/intent.ts';
import type { DeclaredRoute } from '../capability/route/declared-route.ts';
import type { HttpMethod } from '../capability/route/http-method.ts';
import type { GroupPath } from './infer/infer-route.ts';
import type { RouteRule } from './infer/route-rule.ts';
import type { PathSegment } from './path-pattern.ts';

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
