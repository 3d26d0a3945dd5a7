import { createHttpListener, type HttpListener } from '../http/http-listener.ts';
import { applicationOf } from '../server/server-internals.ts';
import type { AnyTransport, Transport } from '../server/transport.ts';
import { type RestOptions, type RestSettings, toRestSettings } from './rest-options.ts';
import { createRestPipeline, type ToPages } from './rest-pipeline.ts';
import { toToldRoutes } from './served-routes.ts';

const REST: unique symbol = Symbol.for('capix.rest') as never;

/** A transport that knows how requests are answered, so that they can be answered without a socket too. */
export interface RestTransport extends Transport {
  readonly [REST]: RestSettings;
}

/** @throws TypeError or RangeError for an option that cannot be */
export function createRestTransport(options: RestOptions, toPages: ToPages): RestTransport {
  const settings = toRestSettings(options);
  let phase: 'starting' | 'open' | 'draining' = 'starting';
  let listener: HttpListener | undefined;
  let endEvents = (): void => {};

  return {
    [REST]: settings,
    name: 'rest',
    ...(settings.capabilities === undefined ? {} : { capabilities: settings.capabilities }),
    start: async (given) => {
      const app = applicationOf(given);
      phase = 'starting';
      const pipeline = await createRestPipeline({ app, settings, toPages, phase: () => phase });
      const { handle, routes } = pipeline;
      endEvents = pipeline.endEvents;
      listener = await createHttpListener(settings, { handle, newRequestId: app.newRequestId });
      const { url, networkUrls } = listener;
      return {
        url,
        ...(networkUrls === undefined ? {} : { networkUrls }),
        routes: toToldRoutes(routes),
      };
    },
    open: () => {
      phase = 'open';
    },
    stop: async ({ graceMs }) => {
      phase = 'draining';
      endEvents();
      await listener?.close(graceMs);
      listener = undefined;
    },
  };
}

/** The answering part of a transport; undefined for one that is not REST. */
export function findRestSettings(transport: AnyTransport): RestSettings | undefined {
  return (transport as Partial<RestTransport>)[REST];
}
