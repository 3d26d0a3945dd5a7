import type { ServedRoute } from '../transport.ts';

/** `GET   /items/:id  items.getItem`, in columns two spaces apart. */
export function toRouteLines(routes: readonly ServedRoute[]): readonly string[] {
  const methodWidth = Math.max(4, ...routes.map(({ method }) => method.length));
  const pathWidth = Math.max(0, ...routes.map(({ path }) => path.length));
  return routes.map(({ method, path, key }) => `${method.padEnd(methodWidth)}  ${path.padEnd(pathWidth)}  ${key}`);
}
