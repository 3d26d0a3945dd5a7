import type { ManifestCapability } from '../../manifest/manifest.ts';

/** Which requests match a route, whatever its parameters are called: `GET /users/:`. */
export function toRouteShape({ method, path }: Pick<ManifestCapability, 'method' | 'path'>): string {
  return `${method} ${path.replaceAll(/:[^/]+/g, ':')}`;
}
