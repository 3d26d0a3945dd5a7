import type { ServedRoute } from '../../../server-runtime/server/transport.ts';
import type { RoutedRequest } from '../../record/replace-url-secrets.ts';
import type { RequestRecord } from '../../record/request-record.ts';

/** Paths by capability, of all that was ever served: a request may end after its code has gone. */
export interface ServedPaths {
  readonly add: (routes: readonly ServedRoute[]) => void;
  readonly withRoute: (request: RequestRecord) => RoutedRequest;
}

export function createServedPaths(): ServedPaths {
  const paths = new Map<string, string>();
  return {
    add: (routes) => routes.forEach(({ key, path }) => void paths.set(key, path)),
    withRoute: (request) => {
      const route = request.capability === undefined ? undefined : paths.get(request.capability);
      return route === undefined ? request : { ...request, route };
    },
  };
}
