import type { ServedRoute, TransportStarted } from './transport.ts';

/** The lines that a server prints once all of its transports listen. `capix dev` and `capix start` print the same. */
export function toStartLines(running: readonly TransportStarted[]): readonly string[] {
  const lines: string[] = [];
  for (const { url } of running)
    if (url !== undefined) lines.push(`[capix] Server started on ${url}`);
  const routes = running.flatMap((transport) => transport.routes);
  if (routes.length > 0) lines.push('[capix] Routes:');
  for (const line of toRouteLines(routes)) lines.push(`  ${line}`);
  for (const { networkUrls: urls } of running) {
    if (urls === undefined) continue;
    const all = urls.length === 0 ? '' : `: ${urls.join(', ')}`;
    lines.push(`[capix] It listens at every address of this machine${all}`);
  }
  for (const { notes = [] } of running) for (const note of notes) lines.push(`[capix] ${note}`);
  return lines;
}

/** `GET   /items/:id  items.getItem`, in columns two spaces apart. */
export function toRouteLines(routes: readonly ServedRoute[]): readonly string[] {
  const methodWidth = Math.max(4, ...routes.map(({ method }) => method.length));
  const pathWidth = Math.max(0, ...routes.map(({ path }) => path.length));
  return routes.map(
    ({ method, path, key }) => `${method.padEnd(methodWidth)}  ${path.padEnd(pathWidth)}  ${key}`,
  );
}
