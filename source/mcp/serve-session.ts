import { randomBytes } from 'node:crypto';
import { loadPackage } from '../../server-runtime/errors/load-package.ts';
import type { McpValues } from '../flags/mcp-flags.ts';
import { standardInput, type Terminal } from '../terminal/terminal.ts';
import { LiveTools } from './live-tools.ts';
import { toStartError } from './to-start-error.ts';

/**
 * Speaks the protocol. The code runs in a process of its own, and after a save in another one.
 *
 * @throws CliError where the project cannot be loaded at first, a package is missing, or the port is taken
 */
export async function serveSession(options: McpValues, terminal: Terminal): Promise<void> {
  const { port } = options;
  const interrupted = new Promise<void>((resolve) => {
    terminal.interruptSignal().addEventListener('abort', () => resolve(), { once: true });
  });
  const secret = randomBytes(32).toString('hex');
  const tools = new LiveTools(options, terminal, secret);
  let stop: (graceMs: number) => Promise<void> = async () => {};
  const packages = [
    '@modelcontextprotocol/server',
    ...(port === undefined ? [] : ['@modelcontextprotocol/node']),
  ];
  const serve = async (): Promise<void> => {
    // A missing package is reported here, with the command that installs it, before the code runs into it.
    const load = () =>
      Promise.all([
        import('./live-server.ts'),
        import('../../server-runtime/mcp/serve-stdio.ts'),
        port === undefined ? undefined : import('../../server-runtime/mcp/serve-http.ts'),
      ]);
    const [[{ createLiveServers }, { serveStdio }, http]] = await Promise.all([
      loadPackage(packages, 'capix mcp', load),
      tools.take(),
    ]);
    const parts = createLiveServers(tools, options, secret);
    if (http === undefined) {
      if (terminal.isInteractive) terminal.writeError(HUMAN_HINT);
      return new Promise(
        (onClose) => void serveStdio(parts.createMcpServer, { input: standardInput(), onClose }),
      );
    }
    const serving = await http.serveHttp({ port }, parts);
    stop = serving.stop;
    terminal.writeError(`Server started on ${serving.url}\n`);
    return interrupted;
  };
  try {
    await Promise.race([serve(), interrupted]);
  } catch (error) {
    throw toStartError(error, port);
  } finally {
    await Promise.all([tools.close(), stop(0)]);
  }
}

/** The words for a user who has started `capix mcp` in a terminal, though it speaks over stdin and stdout. */
const HUMAN_HINT =
  'Speaking MCP over stdin and stdout, for an agent to start. Ctrl-C ends it; `capix mcp --port 3001` serves ' +
  'over HTTP, `capix mcp --print-config claude` tells how an agent starts it.\n';
