import type {
  RequestMethod,
  Server,
  ServerCapabilities,
  ServerContext,
  ServerEventBus,
} from '@modelcontextprotocol/server';
import { toListPage } from '../../server-runtime/mcp/handlers.ts';
import type { ServerMaker } from '../../server-runtime/mcp/load-handlers.ts';
import { ChildEnded } from '../system/child-channel.ts';
import type { LiveTools } from './live-tools.ts';
import type { LoadedOffers, ToolsProcess } from './tools-process.ts';

export interface ClientsOptions {
  readonly name: string;
  readonly apiVersion: string;
  /** Signs what clients hold between a question to their user and the answer. */
  readonly secret: string;
}

/** The clients of one session of the command, and the servers of the protocol that they speak with. */
export interface Clients {
  readonly createMcpServer: ServerMaker;
  /** Tells subscribers over HTTP, since 2026-07-28, of other lists. */
  readonly bus: ServerEventBus;
}

/** The lists that clients are told of, and the methods that ask for them. */
const lists = {
  tools: ['tools/list'],
  resources: ['resources/list', 'resources/templates/list'],
  prompts: ['prompts/list'],
} as const;
/** The SDK waits as long for the answer of a user, milliseconds. */
const QUESTION_MS = 600_000;

/** Loads the SDK. Lists are answered here, and what runs code by the process that has the newest. */
export async function createClients(tools: LiveTools, { name, apiVersion, secret }: ClientsOptions): Promise<Clients> {
  const sdk = await import('@modelcontextprotocol/server');
  const { verify } = sdk.createRequestStateCodec({ key: secret });
  const bus = new sdk.InMemoryServerEventBus();
  /** Streams that last longer than a request, and whether they are of a revision before 2026-07-28. */
  const lasting = new Map<Server, boolean>();
  /** The processes that have asked the user, by the signal of the request: the answer comes with the same one. */
  const asking = new WeakMap<AbortSignal, ToolsProcess>();

  const ask = async (server: Server, request: { readonly params?: unknown }, context: ServerContext) => {
    const { method, signal } = context.mcpReq;
    const client = { capabilities: server.getClientCapabilities(), version: server.getClientVersion() };
    const process = asking.get(signal) ?? (await tools.take().catch(fail));
    const handled = await process.handle({ method, params: request.params, context, client }).catch(fail);
    if (handled.kind === 'error') throw new sdk.ProtocolError(handled.code, handled.message, handled.data);
    if (sdk.isInputRequiredResult(handled.result) && !asking.has(signal)) {
      asking.set(signal, process);
      const release = process.hold();
      setTimeout(release, QUESTION_MS).unref();
    }
    return handled.result;
  };
  const toInvalid = (message: string): Error => new sdk.ProtocolError(sdk.ProtocolErrorCode.InvalidParams, message);
  const fail = (error: unknown): never => {
    const { message } = error as Error;
    const reason = error instanceof ChildEnded ? `The project's code ${error.reason} before it answered.` : message;
    throw new sdk.ProtocolError(sdk.ProtocolErrorCode.InternalError, reason);
  };

  tools.onChange = (before, now) => {
    const changed = offered.filter((list) => isOther(list, before, now));
    for (const list of changed) bus.publish({ kind: `${list}_list_changed` });
    for (const server of lasting.keys()) for (const list of changed) tellChange(server, list).catch(() => {});
    return changed;
  };
  tools.onTrouble = (data) => {
    for (const [server, isOlder] of lasting)
      if (isOlder) server.sendLoggingMessage({ level: 'error', logger: 'capix', data }).catch(() => {});
  };

  return {
    bus,
    createMcpServer: (kind) => {
      const capabilities = tools.offers.capabilities as ServerCapabilities;
      const server = new sdk.Server({ name, version: apiVersion }, { capabilities, requestState: { verify } });
      const { lists: listed, methods } = tools.offers;
      for (const method of Object.keys(listed))
        setHandler(server, method, ({ params }) => {
          const list = tools.offers.lists[method] ?? listed[method] ?? {};
          return toListPage(list, (params as { readonly cursor?: string } | undefined)?.cursor, toInvalid);
        });
      for (const method of methods) setHandler(server, method, (request, context) => ask(server, request, context));
      if (kind === 'streams') lasting.set(server, false);
      if (kind === 'session') server.oninitialized = () => void lasting.set(server, true);
      server.onclose = () => void lasting.delete(server);
      return server;
    },
  };
}

type Handler = (request: { readonly params?: unknown }, context: ServerContext) => object | Promise<object>;

/** The process that has the code says which methods there are. */
function setHandler(server: Server, method: string, handler: Handler): void {
  server.setRequestHandler(method as RequestMethod, handler as never);
}

const offered = Object.keys(lists) as (keyof typeof lists)[];

function isOther(list: keyof typeof lists, before: LoadedOffers, now: LoadedOffers): boolean {
  return lists[list].some((method) => JSON.stringify(before.lists[method]) !== JSON.stringify(now.lists[method]));
}

function tellChange(server: Server, list: keyof typeof lists): Promise<void> {
  switch (list) {
    case 'tools':
      return server.sendToolListChanged();
    case 'resources':
      return server.sendResourceListChanged();
    case 'prompts':
      return server.sendPromptListChanged();
  }
}
