import { randomBytes } from 'node:crypto';
import type { Server } from '@modelcontextprotocol/server';
import { loadPackage } from '../../server-runtime/errors/load-package.ts';
import { loadServerMaker, type McpMethods, type Message } from '../../server-runtime/mcp/handlers.ts';
import type { EndpointParts } from '../../server-runtime/mcp/load-endpoint.ts';
import { type HttpServing, serveHttp } from '../../server-runtime/mcp/serve-http.ts';
import { serveStdio } from '../../server-runtime/mcp/serve-stdio.ts';
import { claimStdout } from '../../server-runtime/patches/claim-stdout.ts';
import { ChildEnded } from '../system/child-channel.ts';
import { standardInput, type Terminal } from '../terminal/terminal.ts';
import { LiveTools } from './live-tools.ts';
import type { McpCommandOptions } from './mcp-command.ts';
import { toStartError } from './to-start-error.ts';
import type { LoadedOffers } from './tools-process.ts';

/**
 * Speaks the protocol. The code runs in a process of its own, and after a save in another one.
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
  const packages = ['@modelcontextprotocol/server', ...(port === undefined ? [] : ['@modelcontextprotocol/node'])];
  const serve = async (): Promise<void> => {
    // A package that is missing is told of here, with the command that installs it, before the code runs into it.
    const [clients] = await Promise.all([
      loadPackage(packages, 'capix mcp', () => loadClients(tools, options, secret)),
      tools.take(),
    ]);
    if (port === undefined) return overStdio(clients, terminal);
    serving = await serveHttp({ port }, clients);
    terminal.writeError(`Server started on ${serving.url}\n`);
    return interrupted;
  };
  try {
    await Promise.race([serve(), interrupted]);
  } catch (error) {
    throw toStartError(error, port);
  } finally {
    await Promise.all([tools.close(), serving?.stop(0)]);
  }
}

/** The words for a person who has started in a terminal what speaks over stdin and stdout. */
const HUMAN_HINT =
  'Speaking MCP over stdin and stdout, for an agent to start. Ctrl-C ends it; `capix mcp --port 3001` serves ' +
  'over HTTP, `capix mcp --print-config claude` tells how an agent starts it.\n';

async function overStdio({ createMcpServer }: EndpointParts, terminal: Terminal): Promise<void> {
  if (terminal.isInteractive) terminal.writeError(HUMAN_HINT);
  const [input, output] = [standardInput(), claimStdout()];
  return new Promise((onClose, reject) => {
    serveStdio(createMcpServer, { input, output, onClose }).catch(reject);
  });
}

/** Loads the SDK. Lists are answered here, and what runs code by the process that has the newest. */
async function loadClients(
  tools: LiveTools,
  { name, apiVersion }: McpCommandOptions,
  secret: string,
): Promise<EndpointParts> {
  const sdk = await import('@modelcontextprotocol/server');
  const { verify } = sdk.createRequestStateCodec({ key: secret });
  const bus = new sdk.InMemoryServerEventBus();
  /** Streams that last longer than a request, and whether they are of a revision before 2026-07-28. */
  const lasting = new Map<Server, boolean>();

  const fail = (error: Error): never => {
    const reason =
      error instanceof ChildEnded ? `The project's code ${error.reason} before it answered.` : error.message;
    throw new sdk.ProtocolError(sdk.ProtocolErrorCode.InternalError, reason);
  };
  const ask = async (method: string, params: unknown, message: Message): Promise<object> => {
    const process = await tools.take().catch(fail);
    const handled = await process.handle(method, params, message).catch(fail);
    if (handled.kind === 'error') throw new sdk.ProtocolError(handled.code, handled.message, handled.data);
    return handled.result;
  };
  const createServer = await loadServerMaker({ name, version: apiVersion }, (): McpMethods => {
    const { capabilities, lists: listed, methods } = tools.offers;
    const lists = Object.entries(listed).map(([method, first]) => [method, () => tools.offers.lists[method] ?? first]);
    const handlers = methods.map((method) => [
      method,
      (params: unknown, ...message: Message) => ask(method, params, message),
    ]);
    return { capabilities, lists: Object.fromEntries(lists), handlers: Object.fromEntries(handlers), verify };
  });

  tools.onChange = (before, now) => {
    const changed = kinds.filter((kind) => toListText(kind, before) !== toListText(kind, now));
    for (const kind of changed) {
      bus.publish({ kind: `${kind}_list_changed` });
      for (const server of lasting.keys())
        server.notification({ method: `notifications/${kind}/list_changed` }).catch(() => {});
    }
    return changed;
  };
  tools.onTrouble = (data) => {
    for (const [server, isOlder] of lasting)
      if (isOlder) server.sendLoggingMessage({ level: 'error', logger: 'capix', data }).catch(() => {});
  };

  return {
    bus,
    createMcpServer: (kind, left) => {
      const server = createServer(kind, left);
      if (kind === 'streams') lasting.set(server, false);
      if (kind === 'session') server.oninitialized = () => void lasting.set(server, true);
      server.onclose = () => void lasting.delete(server);
      return server;
    },
  };
}

/** The offers that have lists: `tools/list`, `resources/list`, `resources/templates/list`, `prompts/list`. */
const kinds = ['tools', 'resources', 'prompts'] as const;

function toListText(kind: (typeof kinds)[number], { lists }: LoadedOffers): string {
  return JSON.stringify(Object.entries(lists).filter(([method]) => method.startsWith(`${kind}/`)));
}
