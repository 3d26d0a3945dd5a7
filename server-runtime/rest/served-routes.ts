import { type HttpMethod, type SentField, toDeprecationHeaders } from '../capability/http.ts';
import type { RawHeaders } from '../http/exchange.ts';
import { toInputPlan } from '../input/input-fields.ts';
import type { CompiledRegistry } from '../registry/compile-registry.ts';
import type { Operation } from '../registry/operation.ts';
import type { Route, RoutedOperation, RouteProblem } from '../routing/route.ts';
import { type RouteTableOptions, toRouteTable } from '../routing/route-table.ts';
import type { Lens } from '../schema/lens.ts';
import type { Schema } from '../schema/schema.ts';
import type { ServedRoute } from '../server/transport.ts';

/** An operation as the transport serves it. */
export interface ServedOperation extends RoutedOperation {
  readonly operation: Operation;
  /** Gives the plan by which query, path and form become values; the first request makes it. */
  readonly plan: () => Lens;
  /** The fields that headers and cookies carry. */
  readonly sent: readonly SentField[];
  /** The headers of every answer, besides; undefined where there are none. */
  readonly headers: RawHeaders | undefined;
  /** The `Cache-Control` of its answers, as stated by `.cacheControl`. */
  readonly cacheControl: string | undefined;
}

/** The routes of a registry, each with what its requests need. */
export function toServedRoutes(
  registry: CompiledRegistry,
  options: RouteTableOptions,
): { readonly routes: readonly Route<ServedOperation>[]; readonly problems: readonly RouteProblem[] } {
  const { routes, others, problems } = toRouteTable(registry.operations.map(toServed), options);
  return { routes: [...routes, ...others], problems };
}

/** The routes as people are told of them. */
export function toToldRoutes(routes: readonly Route[]): readonly ServedRoute[] {
  return routes.map(({ method, path, operation }) => ({ method, path, key: operation.key }));
}

/** The way to a capability by its key, which no name gives: `POST /_call/users.getUser`, behind the prefix. */
export function toCallRoute(route: Route<ServedOperation>, prefix: string): Route<ServedOperation> {
  const { key } = route.operation;
  return {
    ...route,
    operation: { ...route.operation, sent: [] },
    method: 'POST',
    path: `${prefix}/_call/${key}`,
    segments: [
      ...prefix
        .split('/')
        .filter(Boolean)
        .map((text) => ({ static: text })),
      { static: '_call' },
      { static: key },
    ],
    params: [],
  };
}

/** Whether requests of this method carry their input in the body. */
export function takesBody(method: HttpMethod): boolean {
  return method === 'POST' || method === 'PATCH' || method === 'PUT';
}

function toServed(operation: Operation): ServedOperation {
  const { key, groups, groupPaths, name, hasId, declaredIntent, declaredRoutes, definition } = operation;
  const headers = toDeprecationHeaders(definition.deprecation);
  return {
    key,
    groups,
    groupPaths,
    name,
    hasId,
    declaredIntent,
    declaredRoutes,
    operation,
    plan: toLazyPlan(definition.schema),
    sent: definition.request.sent,
    headers: headers.length === 0 ? undefined : headers,
    cacheControl: definition.cacheControl,
  };
}

/** Many capabilities of a server are not called in its first minutes, and a plan takes longer to make than a route. */
function toLazyPlan(schema: Schema | undefined): () => Lens {
  let plan: Lens | undefined;
  return () => {
    plan ??= toInputPlan(schema);
    return plan;
  };
}
