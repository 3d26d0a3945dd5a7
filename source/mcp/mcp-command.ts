import { mcpTransport } from '../../server-runtime/mcp/mcp-transport.ts';
import { claimStdout } from '../../server-runtime/patches/claim-stdout.ts';
import { createServer } from '../../server-runtime/server/create-server.ts';
import { consoleLogger } from '../../server-runtime/server/log/logger.ts';
import type { PlainProps } from '../cli/command.ts';
import { createCliError } from '../cli/errors/cli-error.ts';
import { loadRegistry } from '../load/load-registry.ts';
import { catchUncaught } from '../terminal/catch-uncaught.ts';

export interface McpCommandOptions {
  readonly config?: string | undefined;
  readonly envFile: readonly string[];
  readonly port?: number | undefined;
  readonly name: string;
  readonly apiVersion: string;
}

/**
 * `capix mcp`: the project's capabilities as tools, over stdio until stdin ends, or over HTTP until Ctrl-C. Stdout carries the protocol
 * alone; what the project's code prints goes to stderr.
 */
export default async function mcpCommand({ options, terminal }: PlainProps<McpCommandOptions>): Promise<void> {
  const { port, name, apiVersion: version } = options;
  const output = claimStdout();
  const { registry } = await loadRegistry({ ...options, workingDirectory: terminal.workingDirectory() });
  let onClose = (): void => {};
  const over = new Promise<void>((resolve) => {
    onClose = resolve;
    terminal.interruptSignal().addEventListener('abort', () => resolve(), { once: true });
  });
  const transport = mcpTransport({
    name,
    version,
    ...(port === undefined ? { stdio: { output, onClose } } : { port }),
  });
  const server = createServer({ capabilities: registry, transports: [transport], logger: consoleLogger });
  await server.start().catch((error: unknown) => {
    throw toStartError(error, port);
  });
  if (port === undefined && terminal.isInteractive) terminal.writeError(humanHint);
  // A fault of one call that nobody awaits must not end what other calls wait for.
  const stopCatching = catchUncaught((error) =>
    consoleLogger.error("[capix] The project's code threw where nothing catches it; the server goes on.", { error }),
  );
  await over;
  await server.stop();
  stopCatching();
}

const humanHint =
  'Speaking MCP over stdin and stdout, for an agent to start. Ctrl-C ends it; `capix mcp --port 3001` serves over HTTP.\n';

function toStartError(error: unknown, port: number | undefined): unknown {
  if (!(error instanceof Error)) return error;
  if (port !== undefined && (error as NodeJS.ErrnoException).code === 'EADDRINUSE')
    return createCliError('PortTaken', { port, owner: '' }, { cause: error });
  return error instanceof TypeError
    ? createCliError('InvalidTools', { reason: error.message }, { cause: error })
    : error;
}
