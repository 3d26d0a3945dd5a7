import type { GroupTree, KeyOf, NeedsOf } from '../capability/group-tree.ts';
import type { Uninferred } from '../errors/define-error.ts';
import { createHttpListener, type HttpListener } from '../http/http-listener.ts';
import { applicationOf } from '../server/create-application.ts';
import type { AnyTransport, Transport } from '../server/transport.ts';
import type { Life } from './responder.ts';
import { type RestOptions, type RestSettings, toRestSettings } from './rest-options.ts';
import { createRestPipeline, type RestPipeline } from './rest-pipeline.ts';

const REST: unique symbol = Symbol.for('capix.rest') as never;

/** A transport that knows how requests are answered, so that they can be answered without a socket too. */
interface RestTransport extends Transport {
  readonly [REST]: RestSettings;
}

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
  const settings = toRestSettings(options as RestOptions);
  const life: Life = { phase: 'starting' };
  let pipeline: RestPipeline | undefined;
  let listener: HttpListener | undefined;
  const transport: RestTransport = {
    [REST]: settings,
    name: 'rest',
    ...(settings.capabilities === undefined ? {} : { capabilities: settings.capabilities }),
    start: async (given) => {
      const app = applicationOf(given);
      life.phase = 'starting';
      pipeline = await createRestPipeline({ app, settings, life });
      const { handler, routes } = pipeline;
      listener = await createHttpListener(settings, handler.handle, app.newRequestId);
      const { url, networkUrls } = listener;
      return { url, ...(networkUrls === undefined ? {} : { networkUrls }), routes };
    },
    open: () => {
      life.phase = 'open';
    },
    stop: async ({ graceMs }) => {
      life.phase = 'draining';
      pipeline?.responder.endEvents();
      await listener?.close(graceMs);
      listener = undefined;
    },
  };
  return transport as Transport<string, never> as never;
}

/** The keys that a server must have: those that overrides name, but for those of the transport's own capabilities. */
export type OverriddenKeys<Key extends string, Own> = string extends Key ? never : Exclude<Key, KeyOf<Own>>;

/** The settings of a transport; undefined for one that is not REST. */
export function findRestSettings(transport: AnyTransport): RestSettings | undefined {
  return (transport as Partial<RestTransport>)[REST];
}
