import * as sdk from '@modelcontextprotocol/server';
import type { ContextRequest } from '../capability/context.ts';
import type { MaybePromise } from '../errors/maybe-promise.ts';
import type { McpOptions } from './options.ts';

export interface McpMethods {
  readonly capabilities: sdk.ServerCapabilities;
  /** Handlers of lists give the whole list. */
  readonly handlers: Readonly<
    Record<string, (params: never, message: Message) => MaybePromise<object>>
  >;
  readonly verify: (state: string, context: sdk.ServerContext) => unknown;
}

/** Makes a server for one conversation: a request, a session of the revisions before 2026-07-28, a pair of streams. */
export type ServerMaker = (kind: 'request' | 'session' | 'streams') => sdk.Server;

export function createServerMaker(
  { name = 'capix', version = '0.1.0', title, websiteUrl, icons, instructions }: McpOptions,
  current: () => McpMethods,
): ServerMaker {
  const identity = { name, version, title, websiteUrl, icons } as sdk.Implementation;
  return () => {
    const { capabilities, handlers, verify } = current();
    const options = { capabilities, instructions, requestState: { verify } } as sdk.ServerOptions;
    const server = new sdk.Server(identity, options);
    for (const [method, handler] of Object.entries(handlers)) {
      const handle = async (
        { params = {} }: { params?: { cursor?: string } },
        context: sdk.ServerContext,
      ) => {
        const result = await handler(params as never, toMessage(context, server));
        return method.endsWith('/list') ? toPage(result, params.cursor) : result;
      };
      server.setRequestHandler(method as sdk.RequestMethod, handle as never);
    }
    return server;
  };
}

/** A request of a client without its parameters. All but `signal`, `notify` and `log` can go to another process. */
export interface Message {
  readonly caller: MessageCaller;
  /** The questions and requests that the client supports, as it declared; undefined where it declared nothing. */
  readonly capabilities: sdk.ClientCapabilities | undefined;
  /** Whether the client sends its capabilities with each request, as in the revision 2026-07-28. */
  readonly isStateless: boolean;
  /** The token by which the client recognises notes of progress; undefined where it wants none. */
  readonly progressToken: sdk.ProgressToken | undefined;
  /** The answers of the user to earlier questions of the same call. */
  readonly answers: sdk.ServerContext['mcpReq']['inputResponses'];
  /** The text that the client got with those questions, and sends back with the answers. */
  readonly state: ReturnType<sdk.ServerContext['mcpReq']['requestState']>;
  /** Fires when the client cancels the request, and over HTTP when it closes the connection. */
  readonly signal: AbortSignal;
  readonly notify: sdk.ServerContext['mcpReq']['notify'];
  readonly log: sdk.ServerContext['mcpReq']['log'];
}

/** The sender of a message. */
interface MessageCaller {
  readonly headers: Record<string, string>;
  readonly remoteAddress: string | undefined;
  /** The value that `authorize` gave for the caller. */
  readonly identity: unknown;
  readonly client: ContextRequest['client'];
}

function toMessage(context: sdk.ServerContext, server: sdk.Server): Message {
  const { mcpReq, http } = context;
  const { _meta: meta, inputResponses: answers, notify, log } = mcpReq;
  return {
    caller: toCaller(context, server),
    ...toCapabilities(mcpReq, server),
    progressToken: meta?.progressToken,
    answers,
    state: mcpReq.requestState(),
    signal:
      http?.req === undefined ? mcpReq.signal : AbortSignal.any([mcpReq.signal, http.req.signal]),
    notify,
    log,
  };
}

function toCaller({ mcpReq, http }: sdk.ServerContext, server: sdk.Server): MessageCaller {
  const { remoteAddress, identity, ...facts } = (http?.authInfo?.extra ?? {}) as {
    remoteAddress?: string;
    identity?: unknown;
    headers?: Record<string, string>;
  };
  const sent = facts.headers ?? Object.fromEntries(http?.req?.headers ?? []);
  const key = mcpReq._meta?.['idempotency-key'];
  const headers = typeof key === 'string' ? { ...sent, 'idempotency-key': key } : sent;
  const client = toEnvelope(mcpReq)[
    'io.modelcontextprotocol/clientInfo'
  ] as ContextRequest['client'];
  return { headers, remoteAddress, identity, client: client ?? server.getClientVersion() };
}

function toCapabilities(
  mcpReq: sdk.ServerContext['mcpReq'],
  server: sdk.Server,
): Pick<Message, 'capabilities' | 'isStateless'> {
  const own = toEnvelope(mcpReq)['io.modelcontextprotocol/clientCapabilities'] as
    | sdk.ClientCapabilities
    | undefined;
  return { capabilities: own ?? server.getClientCapabilities(), isStateless: own !== undefined };
}

/** In the revision 2026-07-28, clients send their name and their capabilities with each request. */
function toEnvelope({ envelope = {} }: sdk.ServerContext['mcpReq']) {
  return envelope as Readonly<Record<string, unknown>>;
}

/** The error of the protocol for an invalid request of a client. */
export function toUnknown(message: string, data?: unknown): sdk.ProtocolError {
  return new sdk.ProtocolError(sdk.INVALID_PARAMS, message, data);
}

const PAGE_SIZE = 200;

/** A cursor is the number of entries before the page. */
function toPage(list: object, cursor = '0'): object {
  const [[name, entries]] = Object.entries(list) as [[string, readonly unknown[]]];
  const start = /^\d+$/.test(cursor) ? Number(cursor) : entries.length;
  if (start > 0 && start >= entries.length)
    throw toUnknown(`There is no page '${cursor}' of this list. Ask for the list from its start.`);
  const end = start + PAGE_SIZE;
  return {
    [name]: entries.slice(start, end),
    ...(end < entries.length && { nextCursor: String(end) }),
  };
}
