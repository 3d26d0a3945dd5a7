import { type SentField, toDeprecationHeaders } from '../capability/http.ts';
import type { RawHeaders } from '../http/exchange.ts';
import type { Operation } from '../registry/operation.ts';
import type { Route, RoutedOperation, RouteProblem } from '../routing/route.ts';
import { type RouteTableOptions, toRouteTable } from '../routing/route-table.ts';
import type { Lens } from '../schema/lens.ts';
import type { ServedRoute } from '../server/transport.ts';

/** An operation as the transport serves it. */
export interface ServedOperation extends RoutedOperation {
  readonly operation: Operation;
  /** The plan by which query, path and form become values; the first request makes it. */
  plan: Lens | undefined;
  /** The parameters of all its paths. */
  params: readonly string[];
  /** Whether they are texts in the input, too; the first request finds it. */
  hasTextParams: boolean | undefined;
  /** The fields that headers and cookies carry. */
  readonly sent: readonly SentField[];
  /** The headers of every response, besides; undefined where there are none. */
  readonly headers: RawHeaders | undefined;
  /** The `Cache-Control` of its responses, as stated by `.cacheControl`. */
  readonly cacheControl: string | undefined;
}

/** The routes of operations, each with what its requests need. */
export function toServedRoutes(
  operations: readonly Operation[],
  options: RouteTableOptions,
): { readonly routes: readonly Route<ServedOperation>[]; readonly problems: readonly RouteProblem[] } {
  const served = operations.map((operation): ServedOperation => {
    const { key, groups, groupPaths, name, hasId, declaredIntent, declaredRoutes, definition } = operation;
    const { deprecation, request, cacheControl } = definition;
    const headers = toDeprecationHeaders(deprecation);
    return {
      key,
      groups,
      groupPaths,
      name,
      hasId,
      declaredIntent,
      declaredRoutes,
      operation,
      plan: undefined,
      params: [],
      hasTextParams: undefined,
      sent: request.sent,
      cacheControl,
      headers: headers.length === 0 ? undefined : headers,
    };
  });
  const { routes, others, problems } = toRouteTable(served, options);
  const all = [...routes, ...others];
  for (const { operation, params } of all) operation.params = [...operation.params, ...params];
  return { routes: all, problems };
}

/** The routes as people are told of them. */
export function toToldRoutes(routes: readonly Route[]): readonly ServedRoute[] {
  return routes.map(({ method, path, operation }) => ({ method, path, key: operation.key }));
}

/** The way to a capability by its key, which no name gives: `POST /_call/users.getUser`, behind the prefix. */
export function toCallRoute(route: Route<ServedOperation>, prefix: string): Route<ServedOperation> {
  const path = `${prefix}/_call/${route.operation.key}`;
  const segments = path.split('/').filter(Boolean);
  return {
    ...route,
    operation: { ...route.operation, sent: [] },
    method: 'POST',
    path,
    segments: segments.map((text) => ({ static: text })),
    params: [],
  };
}
