// The public surface of `capix/mcp`.
import type { GroupTree, NeedsOf } from '../capability/group-tree.ts';
import type { Uninferred } from '../errors/define-error.ts';
import { expectInteger, expectKnownOptions } from '../errors/expect-options.ts';
import { loadPackage } from '../errors/load-package.ts';
import { findDecisionFault, findNamesFault, findSecretFault } from '../errors/security-faults.ts';
import { toCallerFinder } from '../http/trust-proxy.ts';
import { applicationOf } from '../server/application.ts';
import type { Transport } from '../server/transport.ts';
import { type McpOptions, mcpOptionNames, stdioOptionNames } from './options.ts';
import type { HttpServing } from './serve-http.ts';

export type { Authorize } from '../http/authorize.ts';
export type { McpOptions } from './options.ts';

/** Serves capabilities to AI agents over Streamable HTTP or stdio. @throws TypeError or RangeError for wrong options */
export function mcpTransport<Own extends GroupTree = Record<never, never>>(
  options: McpOptions<Own> = {},
): Uninferred<Transport<never, NeedsOf<Own>>, Own> {
  const settings = options as McpOptions;
  expectMcpOptions(settings);
  const {
    stdio = false,
    capabilities,
    authorize,
    hidesRefused = authorize !== undefined,
  } = settings;
  const packages = [
    '@modelcontextprotocol/server',
    ...(stdio === false ? ['@modelcontextprotocol/node'] : []),
  ];
  let running: Partial<HttpServing> = {};

  const start: Transport['start'] = async (server) => {
    expectSecrets(settings);
    const app = applicationOf(server);
    const { createMethods } = await import('./methods.ts');
    const { createServerMaker } = await import('./server-maker.ts');
    const methods = createMethods({ ...settings, app, hidesRefused });
    const createMcpServer = createServerMaker(settings, () => methods);
    if (stdio !== false) {
      const { serveStdio } = await import('./serve-stdio.ts');
      running = { stop: serveStdio(createMcpServer, stdio === true ? {} : stdio) };
    } else {
      const { serveHttp } = await import('./serve-http.ts');
      running = await serveHttp(settings, { createMcpServer, logger: app.logger });
    }
    return { url: running.url, routes: [] };
  };

  return {
    name: 'mcp',
    needsHost: stdio === false && settings.port === false,
    capabilities,
    start: (app) => loadPackage(packages, 'mcpTransport', () => start(app)),
    take: (request, response) =>
      settings.port === false && running.take?.(request, response) === true,
    fetch: (request, info) =>
      settings.port === false ? running.fetch?.(request, info) : undefined,
    stop: async ({ graceMs }) => running.stop?.(graceMs),
  };
}

/** @throws TypeError where an option of security is named and lacks its value, as one from the environment may */
function expectSecrets(options: McpOptions): void {
  const { allowedHosts, allowedOrigins, secret } = options;
  const faults = [
    'secret' in options ? findSecretFault('mcpTransport secret', secret) : undefined,
    findDecisionFault(options, 'authorize', 'mcpTransport'),
    findNamesFault('mcpTransport allowedHosts', allowedHosts),
    findNamesFault('mcpTransport allowedOrigins', allowedOrigins),
  ].filter((each) => each !== undefined);
  if (faults.length > 0) throw new TypeError(faults.join('\n'));
}

function expectMcpOptions(options: McpOptions): void {
  expectKnownOptions('mcpTransport', options, mcpOptionNames);
  const {
    port,
    host = '127.0.0.1',
    path = '/mcp',
    allowedHosts = [],
    stdio,
    maxResultBytes = 100_000,
  } = options;
  if (typeof stdio === 'object')
    expectKnownOptions('mcpTransport({stdio})', stdio, stdioOptionNames);
  expectInteger('mcpTransport port', port || 0, { min: 0, max: 65_535 });
  expectInteger('mcpTransport maxResultBytes', maxResultBytes, { min: 1000 });
  toCallerFinder(options.trustProxy, 'mcpTransport');
  const isOpen = allowedHosts.length === 0 && !/^(localhost|::1|127(\.\d{1,3}){3})$/.test(host);
  const problem = [
    !path.startsWith('/') && `path: expected a path such as '/mcp', got '${path}'`,
    findResourceProblem(options),
    isOpen &&
      `host: others can reach '${host}', so say under which names they may ask: allowedHosts: ['mcp.example.org']`,
  ].find((each) => typeof each === 'string');
  if (problem !== undefined) throw new TypeError(`mcpTransport ${problem}.`);
}

function findResourceProblem({ authorize, resourceMetadata }: McpOptions): string | undefined {
  const resource = resourceMetadata?.resource;
  if (resource === undefined) return undefined;
  if (!URL.canParse(resource))
    return `resourceMetadata.resource: expected an address such as 'https://api.example.org/mcp', got '${resource}'`;
  if (!authorize) return 'resourceMetadata: say who is let in, too: authorize: ({ token }) => …';
  return undefined;
}
