import type { ContextBuilder } from '../../../server-runtime/capability/context.ts';
import { type OfferPrints, toOffers } from '../../../server-runtime/mcp/offers/to-offers.ts';
import { createToolSearch, toShownTools } from '../../../server-runtime/mcp/search/create-tool-search.ts';
import type { StdioStreams } from '../../../server-runtime/mcp/serve/serve-stdio.ts';
import { startHttp } from '../../../server-runtime/mcp/start-http.ts';
import { startStdio } from '../../../server-runtime/mcp/start-stdio.ts';
import { toTools } from '../../../server-runtime/mcp/tools.ts';
import type { CompiledRegistry } from '../../../server-runtime/registry/compile-registry.ts';
import { createServer } from '../../../server-runtime/server/create-server.ts';
import { consoleLogger } from '../../../server-runtime/server/log/logger.ts';
import type { ToolCall } from '../../../server-runtime/server/log/tool-call.ts';
import { applicationOf } from '../../../server-runtime/server/to-app.ts';
import type { Transport } from '../../../server-runtime/server/transport.ts';
import { toStartError } from '../serve-tools.ts';
import type { LoadTools } from './tools-protocol.ts';

export interface StartedToolsOptions extends Pick<LoadTools, 'options' | 'secret'> {
  readonly registry: CompiledRegistry;
  /** @default the stub, `{requestId, signal}` */
  readonly context: ContextBuilder | undefined;
  /** The streams of one conversation; undefined for HTTP, at a port that the system chooses. */
  readonly streams: StdioStreams | undefined;
  /** Told of each call of a tool. */
  readonly onTool: (call: ToolCall) => void;
}

/**
 * Serves capabilities as tools that may be others after the next save. Gives the function that ends that, and the address over HTTP.
 *
 * @throws CliError `InvalidTools`, `MissingPackage`
 */
export async function startTools({
  registry,
  context,
  options,
  secret,
  streams,
  onTool,
}: StartedToolsOptions): Promise<StartedTools> {
  const { name, apiVersion: version, search: mode } = options;
  let stop = async (): Promise<void> => {};
  let url = '';
  let offers: OfferPrints = { tools: '', resources: '', prompts: '' };
  const transport: Transport = {
    name: 'mcp',
    start: async (given) => {
      const own = applicationOf(given);
      const app = { ...own, hooks: { ...own.hooks, onTool } };
      const tools = toTools(app.registry.operations);
      const identity = { name, version, instructions: undefined };
      const search = createToolSearch(tools, mode);
      offers = toOffers(app.registry.operations, toShownTools(tools, search));
      const parts = { app, tools, search, identity, secret, hidesRefused: false, isLive: true };
      if (streams === undefined) {
        const serving = await startHttp(parts, atFreePort);
        url = serving.url ?? '';
        stop = () => serving.stop(0);
      } else {
        stop = await startStdio(parts, streams);
      }
      return { routes: [] };
    },
    stop: () => stop(),
  };
  const server = createServer({
    capabilities: registry,
    transports: [transport],
    logger: consoleLogger,
    ...(context && { context }),
  });
  await server.start().catch((error: unknown) => {
    throw toStartError(error, undefined);
  });
  return { url, offers, stop: () => server.stop() };
}

/** Behind the address that clients know. */
const atFreePort = {
  port: 0,
  host: '127.0.0.1',
  path: '/mcp',
  server: undefined,
  callers: { hosts: new Set<string>(), origins: new Set<string>() },
  gate: undefined,
  findCaller: undefined,
  reload: undefined,
};

export interface StartedTools {
  /** Empty over streams. */
  readonly url: string;
  readonly offers: OfferPrints;
  readonly stop: () => Promise<void>;
}
