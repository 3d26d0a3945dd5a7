import type { GroupTree, KeyOf, NeedsOf } from './capability/group-tree.ts';
import type { Uninferred } from './errors/define-error.ts';
import type { Page } from './rest/answerer.ts';
import {
  createRestFetchHandler,
  createRestNodeHandler,
  type FetchHandler,
  type NodeHandler,
} from './rest/mounted-rest.ts';
import type { RestOptions } from './rest/rest-options.ts';
import type { ToPages } from './rest/rest-pipeline.ts';
import { createRestTransport } from './rest/rest-transport.ts';
import type { Server } from './server/create-server.ts';
import type { Transport } from './server/transport.ts';

/**
 * Serves capabilities over HTTP: `createServer({capabilities, transports: [restTransport({port: 3000})]})`.
 *
 * @throws TypeError or RangeError for an option that cannot be
 *
 * @example
 * ```ts
 * const server = createServer({
 *   capabilities: { items: { archive: capability(z.object({ id: z.string() }), ({ id }) => ({ archived: id })) } },
 *   transports: [restTransport({ overrides: { 'items.archive': { method: 'POST', path: '/items/:id/archive' } } })],
 * });
 * ```
 */
export function restTransport<const Key extends string = never, Own extends GroupTree = Record<never, never>>(
  options: RestOptions<Key, Own> = {},
): Uninferred<Transport<OverriddenKeys<Key, Own>, NeedsOf<Own>>, Own> {
  return createRestTransport(options as RestOptions, toDocsPages) as Transport<string, never> as never;
}

/** The keys that a server must have: those that overrides name, but for those of the transport's own capabilities. */
export type OverriddenKeys<Key extends string, Own> = string extends Key ? never : Exclude<Key, KeyOf<Own>>;

/**
 * Answers `Request` with `Response` as the server's REST transport would, without a socket: for runtimes without
 * node:http, for tests, and for mounting in another server. The server need not be started. A server without a REST
 * transport, or `options`, takes `options`.
 *
 * @example
 * ```ts
 * const server = createServer({ capabilities: { ping: capability(() => 'pong', 'query') } });
 * const handle = toFetchHandler(server);
 *
 * const response = await handle(new Request('http://localhost/ping'));
 * ```
 */
export function toFetchHandler(server: Server, options?: RestOptions): FetchHandler {
  return createRestFetchHandler(server, { options, toPages: toDocsPages });
}

/**
 * Answers requests of `node:http` as the server's REST transport would: as the listener of a server, and as middleware
 * of Express, Connect, NestJS and others, where what no route takes is passed on. The server need not be started. A
 * server without a REST transport, or `options`, takes `options`; `prefix` is the path below which it answers.
 *
 * @example
 * ```ts
 * import { createServer as createHttpServer } from 'node:http';
 *
 * const server = createServer({ capabilities: { ping: capability(() => 'pong', 'query') } });
 * createHttpServer(toNodeHandler(server, { prefix: '/api' })).listen(3000);
 * ```
 */
export function toNodeHandler(server: Server, options?: RestOptions): NodeHandler {
  return createRestNodeHandler(server, { options, toPages: toDocsPages });
}

/** The transport does not know what writes documents; here they meet. Loaded only where `docs` is on. */
const toDocsPages: ToPages = async (registry, settings) => {
  const [{ generateOpenAPI }, { loadSwaggerUi }] = await Promise.all([
    import('./openapi/generate-openapi.ts'),
    import('./openapi/to-reference-pages.ts'),
  ]);
  const { docs, urlCase, overrides, prefix, envelope, cacheControl, etag } = settings;
  const document = generateOpenAPI(registry, { ...docs, urlCase, overrides, prefix, envelope, etag, cacheControl });
  const swagger = docs?.page === 'plain' ? undefined : await loadSwaggerUi();
  const pages =
    swagger === undefined
      ? (await import('./openapi/html-page.ts')).toPlainPages(document, registry.operations)
      : (await import('./openapi/to-reference-pages.ts')).toReferencePages(document, swagger);
  const json = {
    path: 'openapi.json',
    headers: ['content-type', 'application/json; charset=utf-8'],
    body: JSON.stringify(document),
  };
  // The page names its files as beside it, so that it stands behind any prefix of a proxy.
  const slashed = { path: 'docs/', status: 308, headers: ['location', '../docs'], body: '' };
  return new Map<string, Page>([json, slashed, ...pages].map((page) => [`${prefix}/${page.path}`, page]));
};
