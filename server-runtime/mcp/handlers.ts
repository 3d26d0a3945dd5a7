import type {
  HandlerResultTypeMap,
  Implementation,
  RequestMethod,
  RequestTypeMap,
  Server,
  ServerCapabilities,
  ServerContext,
} from '@modelcontextprotocol/server';
import type { MaybePromise } from '../errors/failure.ts';
import type { McpOptions } from './options.ts';

/** The life of a server: one request, a session of the revisions before 2026-07-28, or a pair of streams. */
export type ConversationKind = 'request' | 'session' | 'streams';

export interface Conversation extends Pick<Server, 'getClientCapabilities' | 'getClientVersion'> {
  /** Fires when the client of a pair of streams has left, and its calls are to end. */
  readonly left?: AbortSignal | undefined;
}

export type Message = readonly [ServerContext, Conversation];

/** The handlers of the messages of clients, by method; lists have a table of their own. */
export type Handlers = {
  readonly [Method in RequestMethod]?: (
    params: NonNullable<RequestTypeMap[Method]['params']>,
    ...message: Message
  ) => MaybePromise<HandlerResultTypeMap[Method]>;
};

/** A whole list, such as `{ tools: […] }`. */
export type List = Readonly<Record<string, readonly unknown[]>>;

export interface McpMethods {
  readonly capabilities: ServerCapabilities;
  /** The whole lists that the sender of a message may see, by method. */
  readonly lists: Readonly<Record<string, (context: ServerContext) => MaybePromise<List>>>;
  readonly handlers: Handlers;
  /** Checks what clients hold from one round of questions to the next. */
  readonly verify: (state: string, context: ServerContext) => unknown;
}

export type ServerIdentity = Pick<McpOptions, 'title' | 'websiteUrl' | 'icons' | 'instructions'> &
  Pick<Implementation, 'name' | 'version'>;

/** Makes a server for one conversation. */
export type ServerMaker = (kind: ConversationKind, left?: AbortSignal) => Server;

interface Asked {
  readonly params?: { readonly cursor?: string };
}

type Handler = (params: NonNullable<Asked['params']>, ...message: Message) => MaybePromise<object>;

/** The most entries that one response lists. */
const PAGE_SIZE = 200;

export async function loadServerMaker(
  { instructions, ...identity }: ServerIdentity,
  toMethods: () => McpMethods,
): Promise<ServerMaker> {
  const sdk = await import('@modelcontextprotocol/server');

  /** A cursor is the number of entries before the page. */
  function toPage(list: List, cursor = '0'): object {
    const [[name, entries]] = Object.entries(list) as [[string, readonly unknown[]]];
    const start = Number(cursor);
    if (!Number.isInteger(start) || start < 0 || (start > 0 && start >= entries.length)) {
      const reason = `There is no page '${cursor}' of this list. Ask for the list from its start.`;
      throw new sdk.ProtocolError(sdk.ProtocolErrorCode.InvalidParams, reason);
    }
    const end = start + PAGE_SIZE;
    return { [name]: entries.slice(start, end), ...(end < entries.length && { nextCursor: String(end) }) };
  }

  return (_kind, left) => {
    const { capabilities, lists, handlers, verify } = toMethods();
    const options = { capabilities, requestState: { verify }, ...(instructions !== undefined && { instructions }) };
    const server = new sdk.Server(identity as Implementation, options);
    const conversation: Conversation = {
      left,
      getClientCapabilities: () => server.getClientCapabilities(),
      getClientVersion: () => server.getClientVersion(),
    };
    const paged = Object.entries(lists).map(([method, read]): [string, Handler] => [
      method,
      async ({ cursor }, context) => toPage(await read(context), cursor),
    ]);
    for (const [method, handler] of [...paged, ...(Object.entries(handlers) as unknown as [string, Handler][])])
      server.setRequestHandler(
        method as RequestMethod,
        (({ params = {} }: Asked, context: ServerContext) => handler(params, context, conversation)) as never,
      );
    return server;
  };
}
