import type { ServedRoute, TransportStarted } from './transport.ts';

/** The lines that a server prints once all of its transports listen. `capix dev` and `capix start` print the same. */
export function toStartLines(running: readonly TransportStarted[]): readonly string[] {
  const routes = running.flatMap((transport) => transport.routes);
  return [
    ...running.flatMap(({ url }) =>
      url === undefined ? [] : [`[capix] Server started on ${url}`],
    ),
    ...(routes.length === 0 ? [] : ['[capix] Routes:']),
    ...toRouteLines(routes).map((line) => `  ${line}`),
    ...running.flatMap(({ networkUrls: urls }) => {
      const all = urls === undefined || urls.length === 0 ? '' : `: ${urls.join(', ')}`;
      return urls === undefined
        ? []
        : [`[capix] It listens at every address of this machine${all}`];
    }),
    ...running.flatMap(({ notes = [] }) => notes.map((note) => `[capix] ${note}`)),
  ];
}

/** `GET   /items/:id  items.getItem`, in columns two spaces apart. */
export function toRouteLines(routes: readonly ServedRoute[]): readonly string[] {
  const methodWidth = Math.max(4, ...routes.map(({ method }) => method.length));
  const pathWidth = Math.max(0, ...routes.map(({ path }) => path.length));
  return routes.map(
    ({ method, path, key }) => `${method.padEnd(methodWidth)}  ${path.padEnd(pathWidth)}  ${key}`,
  );
}
