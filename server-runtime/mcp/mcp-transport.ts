import type { GroupTree, NeedsOf } from '../capability/group-tree.ts';
import type { Uninferred } from '../errors/define-error.ts';
import { loadPackage } from '../errors/load-package.ts';
import { applicationOf } from '../server/create-application.ts';
import type { Transport, TransportStarted } from '../server/transport.ts';
import { expectMcpOptions, type McpOptions } from './options.ts';

/** Serves capabilities to AI agents over Streamable HTTP or stdio. @throws TypeError or RangeError for wrong options */
export function mcpTransport<Own extends GroupTree = Record<never, never>>(
  options: McpOptions<Own> = {},
): Uninferred<Transport<never, NeedsOf<Own>>, Own> {
  expectMcpOptions(options as McpOptions);
  const { stdio = false, capabilities, authorize, hidesRefused = authorize !== undefined } = options;
  const packages = ['@modelcontextprotocol/server', ...(stdio === false ? ['@modelcontextprotocol/node'] : [])];
  let stop: (graceMs: number) => Promise<void> = async () => {};
  let take: Transport['take'];

  async function start(app: ReturnType<typeof applicationOf>): Promise<TransportStarted> {
    const [{ createMethods }, { createServerMaker }] = await Promise.all([
      import('./methods.ts'),
      import('./server-maker.ts'),
    ]);
    const methods = createMethods({ ...options, app, hidesRefused });
    const createMcpServer = createServerMaker(options as McpOptions, () => methods);
    if (stdio !== false) {
      const { serveStdio } = await import('./serve-stdio.ts');
      stop = serveStdio(createMcpServer, stdio === true ? {} : stdio);
      return { routes: [] };
    }
    const { serveHttp } = await import('./serve-http.ts');
    const onFault = (error: unknown): void => app.logger.error('[capix] authorize of mcpTransport failed', { error });
    const serving = await serveHttp(options as McpOptions, { createMcpServer, onFault });
    stop = serving.stop;
    if (options.port === false) take = serving.take;
    return { url: serving.url, routes: [] };
  }

  return {
    name: 'mcp',
    capabilities,
    start: (app) => loadPackage(packages, 'mcpTransport', () => start(applicationOf(app))),
    take: (request, response) => take?.(request, response) === true,
    stop: ({ graceMs }) => stop(graceMs),
  };
}
