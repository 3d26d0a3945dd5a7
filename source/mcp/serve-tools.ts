import { MissingPackageError } from '../../server-runtime/errors/load-package.ts';
import { mcpTransport } from '../../server-runtime/mcp/mcp-transport.ts';
import type { CompiledRegistry } from '../../server-runtime/registry/compile-registry.ts';
import { createServer } from '../../server-runtime/server/create-server.ts';
import { consoleLogger } from '../../server-runtime/server/logger.ts';
import { createCliError } from '../cli/cli-error.ts';
import { catchUncaught } from '../terminal/end-process.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { McpCommandOptions } from './mcp-command.ts';

/** Serves capabilities as tools, over stdio until stdin ends, or over HTTP until Ctrl-C. */
export async function serveTools(
  capabilities: CompiledRegistry,
  { port, name, apiVersion: version }: McpCommandOptions,
  terminal: Terminal,
): Promise<void> {
  let onClose = (): void => {};
  const over = new Promise<void>((resolve) => {
    onClose = resolve;
    terminal.interruptSignal().addEventListener('abort', () => resolve(), { once: true });
  });
  const transport = mcpTransport({ name, version, ...(port === undefined ? { stdio: { onClose } } : { port }) });
  const server = createServer({ capabilities, transports: [transport], logger: consoleLogger });
  await server.start().catch((error: unknown) => {
    throw toStartError(error, port);
  });
  if (port === undefined && terminal.isInteractive) terminal.writeError(humanHint);
  reportUncaught();
  await over;
  await server.stop();
}

/** A fault of one call that nobody awaits must not end what other calls wait for. */
export function reportUncaught(): void {
  const text = "[capix] The project's code threw an error that nothing caught; the server goes on.";
  catchUncaught((error) => consoleLogger.error(text, { error }));
}

/** The words for a person who has started in a terminal what speaks over stdin and stdout. */
export const humanHint =
  'Speaking MCP over stdin and stdout, for an agent to start. Ctrl-C ends it; `capix mcp --port 3001` serves ' +
  'over HTTP, `capix mcp --print-config claude` tells how an agent starts it.\n';

/** The error by which the command ends where the server does not start. */
export function toStartError(error: unknown, port: number | undefined): unknown {
  if (!(error instanceof Error)) return error;
  if (error instanceof MissingPackageError) {
    const words = { name: error.packages.join(' '), purpose: 'which capix speaks MCP through' };
    return createCliError('MissingPackage', words, { cause: error });
  }
  if (port !== undefined && (error as NodeJS.ErrnoException).code === 'EADDRINUSE')
    return createCliError('PortTaken', { port, owner: '' }, { cause: error });
  return error instanceof TypeError
    ? createCliError('InvalidTools', { reason: error.message }, { cause: error })
    : error;
}
