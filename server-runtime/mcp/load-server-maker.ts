import type {
  ClientCapabilities,
  Implementation,
  Server,
  ServerCapabilities,
  ServerContext,
} from '@modelcontextprotocol/server';
import type { CallingClient } from '../capability/context.ts';
import type { Icon } from '../capability/definition.ts';
import { innerPartsOf } from '../capability/enhancer.ts';
import { findNearestNames } from '../errors/expect-options.ts';
import type { Operation } from '../registry/operation.ts';
import type { Application } from '../server/application.ts';
import { type Asker, loadAsker } from './ask/load-asker.ts';
import type { ProtocolCall } from './call-operation.ts';
import { callTool } from './call-tool.ts';
import { findAllowed } from './find-allowed.ts';
import type { ToCall } from './offers/create-offer-reader.ts';
import { toListPage } from './offers/list-page.ts';
import { loadOffers } from './offers/load-offers.ts';
import type { ConversationKind } from './offers/register-subscriptions.ts';
import type { ResourceChanges } from './offers/resource-changes.ts';
import { callerOf } from './serve/caller.ts';
import type { Closing } from './serve/closing.ts';
import type { Tool } from './tools.ts';

export interface ServerIdentity {
  readonly name: string;
  readonly version: string;
  /** The purpose of the server, told to agents. */
  readonly instructions?: string | undefined;
  /** A name for people, the address of a page, and pictures. */
  readonly title?: string | undefined;
  readonly websiteUrl?: string | undefined;
  readonly icons?: readonly Icon[] | undefined;
}

export interface McpServerParts {
  readonly app: Application;
  readonly tools: ReadonlyMap<string, Tool>;
  readonly identity: ServerIdentity;
  /** Signs what clients hold for the server between rounds of questions; undefined for one of this process. */
  readonly secret: string | undefined;
  /** Whether callers see only the tools whose guards let them pass. */
  readonly hidesRefused: boolean;
  /** Whether the lists may change during a conversation, of which its transport tells the client. */
  readonly isLive?: boolean | undefined;
  /** The most text in one result, bytes. @default 100,000 */
  readonly maxResultBytes?: number | undefined;
  /** Says which resources have changed. @default nobody does */
  readonly changes?: ResourceChanges | undefined;
}

/** Makes one server: for one request, one session, or one conversation over streams. */
export type ServerMaker = (closing: Closing, conversation: ConversationKind) => Server;

/** The part of a server of the SDK that handlers are registered with. */
export type HandlerHost = Pick<Server, 'setRequestHandler' | 'getClientCapabilities' | 'getClientVersion'> &
  Pick<Server, 'sendResourceUpdated' | 'onclose'>;

/** The answers to all that clients ask about tools, resources and prompts. */
export interface ServerHandlers {
  readonly capabilities: ServerCapabilities;
  /** Checks what clients hold from one round of questions to the next. */
  readonly verify: Asker['verify'];
  readonly register: (server: HandlerHost, closing: Closing, conversation: ConversationKind) => void;
}

/** A quarter of the window of a small model. */
const MAX_RESULT_BYTES = 100_000;

/** Loads the SDK, and gives the function that makes servers. */
export async function loadServerMaker(parts: McpServerParts): Promise<ServerMaker> {
  const [{ Server }, handlers] = await Promise.all([import('@modelcontextprotocol/server'), loadServerHandlers(parts)]);
  const { instructions, ...identity } = parts.identity;
  const { capabilities, verify, register } = handlers;
  const told = instructions === undefined ? {} : { instructions };
  return (closing, conversation) => {
    const server = new Server(identity as Implementation, { capabilities, requestState: { verify }, ...told });
    register(server, closing, conversation);
    return server;
  };
}

export async function loadServerHandlers(parts: McpServerParts): Promise<ServerHandlers> {
  const { app, tools } = parts;
  const [{ ProtocolError, ProtocolErrorCode }, asker, offers] = await Promise.all([
    import('@modelcontextprotocol/server'),
    loadAsker(parts.secret),
    loadOffers(parts),
  ]);
  const toInvalid = (message: string): Error => new ProtocolError(ProtocolErrorCode.InvalidParams, message);
  const register: ServerHandlers['register'] = (server, closing, conversation) => {
    const toCall: ToCall = ({ key }, input, context) => {
      const stated = findClient(context);
      const client = stated ?? server.getClientCapabilities();
      const link = asker.createLink({ key, context, client, isStateless: stated !== undefined });
      const who = { client: findClientInfo(context) ?? server.getClientVersion(), ...callerOf(context) };
      const limits = { maxResultBytes: parts.maxResultBytes ?? MAX_RESULT_BYTES, signal: toSignal(context) };
      return { input: input as ProtocolCall['input'], closing, link, ...limits, ...who };
    };
    offers.register({ server, conversation, toCall });
    const findSeen = async (context: ServerContext): Promise<readonly Tool[]> =>
      parts.hidesRefused ? findAllowed(app, tools.values(), callerOf(context)) : [...tools.values()];
    server.setRequestHandler('tools/list', async ({ params }, context) => {
      const seen = await findSeen(context);
      return toListPage({ tools: seen.map(({ description }) => description) }, params?.cursor, toInvalid);
    });
    server.setRequestHandler('tools/call', async ({ params }, context) => {
      const tool = tools.get(params.name);
      if (tool === undefined) throw toInvalid(toUnknown(params.name, await findSeen(context)));
      return callTool(app, tool, {
        ...toCall(tool.operation, params.arguments ?? {}, context),
        ...callerOf(context, params._meta?.['idempotency-key']),
      });
    });
  };
  return { capabilities: toCapabilities(parts, offers.capabilities), verify: asker.verify, register };
}

function toCapabilities({ app, isLive = false }: McpServerParts, offered: ServerCapabilities): ServerCapabilities {
  const hasNotes = isLive || app.registry.operations.some(reachesCaller);
  const change = isLive ? { listChanged: true } : {};
  return {
    ...offered,
    tools: change,
    ...(offered.resources && { resources: { ...offered.resources, ...change } }),
    ...(offered.prompts && { prompts: change }),
    ...(hasNotes ? { logging: {} } : {}),
  };
}

/** Only then are there notes to set a level for. */
function reachesCaller({ definition }: Operation): boolean {
  return definition.enhancers.some((enhancer) => innerPartsOf(enhancer).kind === 'caller');
}

const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';

/** The abilities that a client says with each request, since 2026-07-28. */
function findClient({ mcpReq }: ServerContext): ClientCapabilities | undefined {
  const { envelope = {} } = mcpReq;
  return (envelope as { readonly [CAPABILITIES]?: ClientCapabilities })[CAPABILITIES];
}

const CLIENT_INFO = 'io.modelcontextprotocol/clientInfo';

/** The client's name and version, said with each request since 2026-07-28. */
function findClientInfo({ mcpReq }: ServerContext): CallingClient | undefined {
  const { envelope = {} } = mcpReq;
  return (envelope as { readonly [CLIENT_INFO]?: CallingClient })[CLIENT_INFO];
}

/** Fires when a call is cancelled. Over HTTP a caller who closes the connection has left, too. */
export function toSignal({ mcpReq, http }: ServerContext): AbortSignal {
  return http?.req === undefined ? mcpReq.signal : AbortSignal.any([mcpReq.signal, http.req.signal]);
}

/** Says of a name that it is that of no tool. Names of tools that the caller may not know of are not suggested. */
function toUnknown(name: string, seen: readonly Tool[]): string {
  const names = seen.map(({ description }) => description.name);
  const nearest = findNearestNames(name, names).map((each) => `'${each}'`);
  const advice = nearest.length === 0 ? 'List the tools to see their names.' : `Did you mean ${nearest.join(' or ')}?`;
  return `There is no tool '${name}'. ${advice}`;
}
