import { loadPackage } from '../errors/load-package.ts';
import { loadServerMaker, type McpServerParts } from './load-server-maker.ts';
import { type StdioStreams, serveStdio } from './serve/serve-stdio.ts';

/** The package that speaks the protocol. */
export const speaker = '@modelcontextprotocol/server';

/**
 * Begins a conversation over a pair of streams. Gives the function that ends it.
 *
 * @throws MissingPackageError
 */
export function startStdio(parts: McpServerParts, streams: StdioStreams): Promise<() => Promise<void>> {
  return loadPackage([speaker], 'mcpTransport', async () => serveStdio(await loadServerMaker(parts), streams));
}
