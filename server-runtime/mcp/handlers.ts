import type {
  HandlerResultTypeMap,
  Implementation,
  RequestMethod,
  RequestTypeMap,
  Server,
  ServerCapabilities,
  ServerContext,
} from '@modelcontextprotocol/server';
import type { ResourceOptions } from '../capability/definition.ts';
import type { MaybePromise } from '../errors/failure.ts';
import type { Operation } from '../registry/operation.ts';
import type { ProtocolCall, ReadContent } from './call-operation.ts';
import type { SessionClient } from './caller.ts';
import type { McpOptions } from './options.ts';

/**
 * The life of a server of the protocol: one request, a session of the revisions before 2026-07-28, or a pair of streams
 * of that one, where the SDK picks out what its client has subscribed to.
 */
export type ConversationKind = 'request' | 'session' | 'streams';

/** One conversation, with the resources that its client watches. */
export interface Conversation extends SessionClient {
  readonly kind: ConversationKind;
  readonly watched: Set<string>;
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

/** The whole lists that the sender of a message may see, by method. */
export type Lists = Readonly<Record<string, (context: ServerContext) => MaybePromise<List>>>;

/** The lists and handlers of a server of the protocol. */
export interface McpMethods extends Pick<McpOptions, 'changes'> {
  readonly capabilities: ServerCapabilities;
  readonly lists: Lists;
  readonly handlers: Handlers;
  /** Checks what clients hold from one round of questions to the next. */
  readonly verify: (state: string, context: ServerContext) => unknown;
}

/** The name of a server, and what is told of it to agents and people. */
export type ServerIdentity = Pick<McpOptions, 'title' | 'websiteUrl' | 'icons' | 'instructions'> &
  Pick<Implementation, 'name' | 'version'>;

/** Makes one server: for one request, one session, or one conversation over streams. */
export type ServerMaker = (kind: ConversationKind, left?: AbortSignal) => Server;

/** The most entries that one response lists. */
const PAGE_SIZE = 200;

export async function loadServerMaker(
  { instructions, ...identity }: ServerIdentity,
  toMethods: () => McpMethods,
): Promise<ServerMaker> {
  const sdk = await import('@modelcontextprotocol/server');

  /** A page of a list: the entries behind the cursor with which the page before ended. */
  function toPage(list: List, cursor: string | undefined): object {
    const start = Number(cursor ?? 0);
    const [[name, entries]] = Object.entries(list) as [[string, readonly unknown[]]];
    if (!Number.isInteger(start) || start < 0 || (start > 0 && start >= entries.length)) {
      const reason = `There is no page '${cursor}' of this list. Ask for the list from its start.`;
      throw new sdk.ProtocolError(sdk.ProtocolErrorCode.InvalidParams, reason);
    }
    const end = start + PAGE_SIZE;
    return { [name]: entries.slice(start, end), ...(end < entries.length && { nextCursor: String(end) }) };
  }

  return (kind, left) => {
    const { capabilities, lists, handlers, verify, changes } = toMethods();
    const options = { capabilities, requestState: { verify }, ...(instructions !== undefined && { instructions }) };
    const server = new sdk.Server(identity as Implementation, options);
    const conversation: Conversation = {
      kind,
      watched: new Set(),
      left,
      getClientCapabilities: () => server.getClientCapabilities(),
      getClientVersion: () => server.getClientVersion(),
    };
    const handle = (method: string, handler: Handler): void =>
      server.setRequestHandler(
        method as RequestMethod,
        (({ params = {} }: Asked, context: ServerContext) => handler(params, context, conversation)) as never,
      );
    for (const [method, read] of Object.entries(lists))
      handle(method, async ({ cursor }, context) => toPage(await read(context), cursor));
    for (const [method, handler] of Object.entries(handlers)) handle(method, handler as unknown as Handler);
    if (kind !== 'request' && changes !== undefined)
      server.onclose = changes.subscribe((uri) => {
        if (kind === 'streams' || conversation.watched.has(uri)) server.sendResourceUpdated({ uri }).catch(() => {});
      });
    return server;
  };
}

interface Asked {
  readonly params?: { readonly cursor?: string };
}

type Handler = (params: NonNullable<Asked['params']>, ...message: Message) => MaybePromise<object>;

/** The parts that handlers have in common. */
export interface Desk {
  /** The entries of a list that the sender of a message may see. */
  readonly findSeen: <Offer extends Offered>(
    offers: Iterable<Offer>,
    context: ServerContext,
  ) => Promise<readonly Offer[]>;
  readonly toCall: (operation: Operation, input: object, message: Message) => ProtocolCall;
  /** Runs a capability. Rejects with an error of the protocol where the call is refused. */
  readonly run: <Result extends object>(
    call: ProtocolCall,
    toResult: (content: ReadContent) => Result,
  ) => Promise<Result>;
  readonly toInvalid: (message: string) => Error;
}

/** A capability as a tool, a resource or a prompt. */
export interface Offered {
  readonly operation: Operation;
}

/** The facts about a resource or a prompt that agents list. */
interface OfferFacts {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
}

export function toOfferFacts({ operation, options }: Offered & { readonly options: ResourceOptions }): OfferFacts {
  const { key, definition } = operation;
  const { title, mimeType, name = key.replaceAll('.', '_'), description = definition.description } = options;
  return {
    name,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(mimeType !== undefined && { mimeType }),
  };
}
