import { loadPackage } from '../errors/load-package.ts';
import { loadServerMaker, type McpServerParts } from './load-server-maker.ts';
import { type HttpOptions, type HttpServing, serveHttp } from './serve/serve-http.ts';
import { speaker } from './start-stdio.ts';

const overHttp = '@modelcontextprotocol/node';

/**
 * Begins to serve over HTTP.
 *
 * @throws MissingPackageError
 */
export function startHttp(
  parts: McpServerParts,
  options: Omit<HttpOptions, 'createMcpServer' | 'changes'>,
): Promise<HttpServing> {
  return loadPackage([speaker, overHttp], 'mcpTransport', async () =>
    serveHttp({ ...options, changes: parts.changes, createMcpServer: await loadServerMaker(parts) }),
  );
}
