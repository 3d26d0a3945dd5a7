import type { GroupTree, KeyOf, NeedsOf } from '../capability/group-tree.ts';
import type { Uninferred } from '../errors/define-error.ts';
import { createHttpServer } from '../http/http-server.ts';
import { createListener, type Listener } from '../http/node-http.ts';
import { applicationOf } from '../server/application.ts';
import { findDevLink } from '../server/dev-link.ts';
import type { Transport } from '../server/transport.ts';
import { createRestPipeline, toGuestsHere } from './pipeline.ts';
import type { RestParts } from './responder.ts';
import { type RestOptions, type RestSettings, toRestSettings } from './rest-options.ts';

export const REST: unique symbol = Symbol.for('capix.rest');

/** Serves capabilities over HTTP. @throws TypeError or RangeError for an invalid option */
export function restTransport<
  const Key extends string = never,
  Own extends GroupTree = Record<never, never>,
>(
  options: RestOptions<Key, Own> = {},
): Uninferred<Transport<OverriddenKeys<Key, Own>, NeedsOf<Own>>, Own> {
  const settings = toRestSettings(options as RestOptions);
  const life: { phase: RestParts['life']['phase'] } = { phase: 'starting' };
  let pipeline: Awaited<ReturnType<typeof createRestPipeline>> | undefined;
  let listener: Listener | undefined;
  const transport: Transport & { readonly [REST]: RestSettings } = {
    [REST]: settings,
    name: 'rest',
    isHost: true,
    capabilities: settings.capabilities,
    start: async (publicApp) => {
      const app = applicationOf(publicApp);
      life.phase = 'starting';
      pipeline = await createRestPipeline(app, { settings, life, guests: publicApp.guests });
      listener = await createListener(
        createHttpServer(
          settings,
          pipeline.handle,
          toGuestsHere(publicApp.guests, pipeline.host, life),
        ),
        settings,
        findDevLink(),
      );
      const isOpen = settings.isOpenByDefault && process.env['NODE_ENV'] === 'production';
      const notes = [
        ...settings.mounts.map(({ name }) => `${name} is answered by what is mounted there.`),
        ...(isOpen ? [OPEN_TO_PAGES] : []),
      ];
      return { ...listener.address, routes: pipeline.routes, ...(notes.length > 0 && { notes }) };
    },
    open: () => {
      life.phase = 'open';
    },
    stop: async ({ graceMs }) => {
      life.phase = 'draining';
      pipeline?.endEvents();
      await listener?.close(graceMs);
      listener = undefined;
    },
  };
  return transport as Transport<string, never> as never;
}

const OPEN_TO_PAGES =
  'The pages of every site may read this API, without cookies. The option cors says which ones may; ' +
  "`cors: { origin: '*' }` says that it is meant.";

/** The keys that a server must have: those that overrides name, except for the transport's own capabilities. */
export type OverriddenKeys<Key extends string, Own> = string extends Key
  ? never
  : Exclude<Key, KeyOf<Own>>;
