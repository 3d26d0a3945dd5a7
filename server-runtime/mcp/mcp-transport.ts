import type { GroupTree, NeedsOf } from '../capability/group-tree.ts';
import type { Uninferred } from '../errors/define-error.ts';
import { loadPackage } from '../errors/load-package.ts';
import { toCallerFinder } from '../http/trust-proxy.ts';
import { claimStdout } from '../patches/claim-stdout.ts';
import { applicationOf } from '../server/create-application.ts';
import type { Transport, TransportStarted } from '../server/transport.ts';
import { loadServerMaker } from './handlers.ts';
import { loadMethods } from './load-methods.ts';
import { expectMcpOptions, type McpOptions } from './options.ts';
import { serveHttp } from './serve-http.ts';
import { serveStdio } from './serve-stdio.ts';
import { toTools } from './tools.ts';

/**
 * Serves capabilities to AI agents as tools named `<group>_<name>`, over Streamable HTTP or stdio.
 *
 * @throws TypeError for an address that others can reach without `allowedHosts`, a path without a slash, and an option
 * that there is not
 */
export function mcpTransport<Own extends GroupTree = Record<never, never>>(
  options: McpOptions<Own> = {},
): Uninferred<Transport<never, NeedsOf<Own>>, Own> {
  const { name = 'capix', version = '0.1.0', stdio = false, capabilities } = options;
  const { authorize, hidesRefused = authorize !== undefined } = options;
  expectMcpOptions(options as McpOptions);
  const findCaller = toCallerFinder(options.trustProxy, 'mcpTransport');
  const packages = ['@modelcontextprotocol/server', ...(stdio === false ? ['@modelcontextprotocol/node'] : [])];
  let stop: (graceMs: number) => Promise<void> = async () => {};

  async function start(app: ReturnType<typeof applicationOf>): Promise<TransportStarted> {
    const { title, websiteUrl, icons, instructions } = options;
    const methods = await loadMethods({ ...options, app, tools: toTools(app.registry.operations), hidesRefused });
    const identity = { name, version, title, websiteUrl, icons, instructions };
    const createMcpServer = await loadServerMaker(identity, () => methods);
    if (stdio !== false) {
      const { input = process.stdin, output = claimStdout(), onClose = () => {} } = stdio === true ? {} : stdio;
      stop = await serveStdio(createMcpServer, { input, output, onClose });
      return { routes: [] };
    }
    const onFault = (error: unknown): void => app.logger.error('[capix] authorize of mcpTransport failed', { error });
    const serving = await serveHttp({ ...options, findCaller, onFault }, { createMcpServer });
    stop = serving.stop;
    return { ...(serving.url === undefined ? {} : { url: serving.url }), routes: [] };
  }

  return {
    name: 'mcp',
    ...(capabilities === undefined ? {} : { capabilities }),
    start: (app) => loadPackage(packages, 'mcpTransport', () => start(applicationOf(app))),
    stop: ({ graceMs }) => stop(graceMs),
  };
}
