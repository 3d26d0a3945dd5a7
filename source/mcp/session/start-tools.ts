import type { ContextBuilder } from '../../../server-runtime/capability/context.ts';
import { createToolSearch } from '../../../server-runtime/mcp/search/create-tool-search.ts';
import type { StdioStreams } from '../../../server-runtime/mcp/serve/serve-stdio.ts';
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
  readonly streams: StdioStreams;
  /** Told of each call of a tool. */
  readonly onTool: (call: ToolCall) => void;
}

/**
 * Serves capabilities as tools that may be others after the next save, over one pair of streams. Gives the function that ends that.
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
}: StartedToolsOptions): Promise<() => Promise<void>> {
  const { name, apiVersion: version, search: mode } = options;
  let stop = async (): Promise<void> => {};
  const transport: Transport = {
    name: 'mcp',
    start: async (given) => {
      const own = applicationOf(given);
      const app = { ...own, hooks: { ...own.hooks, onTool } };
      const tools = toTools(app.registry.operations);
      const identity = { name, version, instructions: undefined };
      const search = createToolSearch(tools, mode);
      stop = await startStdio({ app, tools, search, identity, secret, hidesRefused: false, isLive: true }, streams);
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
  return () => server.stop();
}
