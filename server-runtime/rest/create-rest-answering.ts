import type { Server } from '../server/create-server.ts';
import { findDevLink } from '../server/dev-link.ts';
import type { Logger } from '../server/log/logger.ts';
import { internalsOf } from '../server/server-internals.ts';
import { type RestOptions, toRestSettings } from './rest-options.ts';
import { createRestPipeline, type RestPipeline, type ToPages } from './rest-pipeline.ts';
import { findRestSettings } from './rest-transport.ts';
import { toToldRoutes } from './served-routes.ts';

export interface RestAnsweringOptions {
  /** Undefined takes those of the server's REST transport. */
  readonly options: RestOptions | undefined;
  readonly toPages: ToPages;
}

export interface RestAnswering {
  readonly pipeline: Promise<RestPipeline>;
  readonly logger: Logger;
}

/** Answers requests without listening, for a server that need not be started. */
export function createRestAnswering(server: Server, { options, toPages }: RestAnsweringOptions): RestAnswering {
  const { transports, appFor } = internalsOf(server);
  const own = options === undefined ? transports.map(findRestSettings).find((each) => each !== undefined) : undefined;
  const settings = own ?? toRestSettings(options ?? {});
  const app = appFor(settings.capabilities);
  const pipeline = createRestPipeline({ app, settings, toPages, phase: () => 'open' });
  // A fault of the routes rejects the first request, where somebody sees it.
  pipeline.then(({ routes }) => findDevLink()?.mounted?.(toToldRoutes(routes))).catch(() => {});
  return { pipeline, logger: app.logger };
}
