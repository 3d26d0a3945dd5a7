import { randomBytes } from 'node:crypto';
import { loadPackage } from '../../server-runtime/errors/load-package.ts';
import { Closing } from '../../server-runtime/mcp/closing.ts';
import { type HttpServing, serveHttp } from '../../server-runtime/mcp/serve-http.ts';
import { serveStdio } from '../../server-runtime/mcp/serve-stdio.ts';
import { claimStdout } from '../../server-runtime/patches/claim-stdout.ts';
import { standardInput, type Terminal } from '../terminal/terminal.ts';
import { type Clients, createClients } from './create-clients.ts';
import { LiveTools } from './live-tools.ts';
import type { McpCommandOptions } from './mcp-command.ts';
import { humanHint, toStartError } from './serve-tools.ts';

/**
 * Serves the project's capabilities as tools: over stdin and stdout until stdin has ended and everything is answered,
 * over HTTP until Ctrl-C. The protocol is spoken here. The code runs in a process of its own, and after a save in
 * another one.
 *
 * @throws CliError where the project cannot be loaded at first, a package is missing, or the port is taken
 */
export async function serveSession(options: McpCommandOptions, terminal: Terminal): Promise<void> {
  const { port } = options;
  const interrupted = new Promise<void>((resolve) => {
    terminal.interruptSignal().addEventListener('abort', () => resolve(), { once: true });
  });
  const secret = randomBytes(32).toString('hex');
  const tools = new LiveTools(options, terminal, secret);
  let serving: HttpServing | undefined;
  const serve = async (): Promise<void> => {
    // A package that is missing is told of here, with the command that installs it, before the code runs into it.
    const [clients] = await Promise.all([loadClients(tools, { ...options, secret }), tools.loaded]);
    if (port === undefined) return overStdio(clients, tools, terminal);
    serving = await overHttp(clients, port);
    terminal.writeError(`Server started on ${serving.url}\n`);
    return interrupted;
  };
  try {
    await Promise.race([serve(), interrupted]);
  } finally {
    await Promise.all([tools.close(), serving?.stop(0)]);
  }
}

async function loadClients(tools: LiveTools, options: Parameters<typeof createClients>[1]): Promise<Clients> {
  try {
    return await loadPackage(['@modelcontextprotocol/server'], 'capix mcp', () => createClients(tools, options));
  } catch (error) {
    throw toStartError(error, undefined);
  }
}

/** Resolves when the input has ended and everything is answered. */
async function overStdio({ createMcpServer }: Clients, tools: LiveTools, terminal: Terminal): Promise<void> {
  if (terminal.isInteractive) terminal.writeError(humanHint);
  const input = standardInput();
  const finish = (): void => tools.finish();
  input.once('end', finish).once('close', finish);
  const output = claimStdout();
  return new Promise((resolve, reject) => {
    serveStdio(createMcpServer, { input, output, onClose: resolve, closing: new Closing() }).catch(reject);
  });
}

/** @throws CliError `PortTaken`, `MissingPackage` */
async function overHttp({ createMcpServer, bus }: Clients, port: number): Promise<HttpServing> {
  try {
    return await loadPackage(['@modelcontextprotocol/server', '@modelcontextprotocol/node'], 'capix mcp', () =>
      serveHttp({ port }, { createMcpServer, closing: new Closing(), bus }),
    );
  } catch (error) {
    throw toStartError(error, port);
  }
}
