import type {
  Implementation,
  RequestMethod,
  Server,
  ServerCapabilities,
  ServerContext,
} from '@modelcontextprotocol/server';
import type { Icon } from '../capability/definition.ts';
import { innerPartsOf } from '../capability/enhancer.ts';
import type { Guard } from '../capability/guard.ts';
import { findNearestNames } from '../errors/expect-options.ts';
import { toFailure } from '../errors/failure.ts';
import type { Operation } from '../registry/operation.ts';
import { toToldMeta } from '../schema/received.ts';
import type { Application } from '../server/application.ts';
import { InvokedRequest } from '../server/invoke-operation.ts';
import { callOperation } from './call-operation.ts';
import { callTool } from './call-tool.ts';
import { type Caller, callerOf, clientOf, toSignal } from './caller.ts';
import type { Closing } from './closing.ts';
import { type Conversation, type ConversationKind, type Desk, type Handlers, toListPage } from './handlers.ts';
import { type Asker, loadAsker } from './load-asker.ts';
import { createCompletionHandlers, createPromptHandlers, toPrompts } from './prompts.ts';
import { createResourceHandlers, type ResourceChanges, toResources } from './resources.ts';
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
  readonly closing: Closing;
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

export interface LoadedHandlers {
  readonly capabilities: ServerCapabilities;
  readonly handlers: Handlers;
  /** Checks what clients hold from one round of questions to the next. */
  readonly verify: Asker['verify'];
}

/** A quarter of the window of a small model. */
const MAX_RESULT_BYTES = 100_000;

/** Loads the SDK, and gives what answers the messages of clients. */
export async function loadHandlers(parts: McpServerParts): Promise<LoadedHandlers> {
  const { app, tools, closing, changes, maxResultBytes = MAX_RESULT_BYTES } = parts;
  const [sdk, asker] = await Promise.all([import('@modelcontextprotocol/server'), loadAsker(parts.secret)]);
  const { operations } = app.registry;
  const resources = toResources(operations, (uri) => new sdk.UriTemplate(uri));
  const prompts = toPrompts(operations);
  const toInvalid = (message: string): Error => new sdk.ProtocolError(sdk.ProtocolErrorCode.InvalidParams, message);
  const desk: Desk = {
    findSeen: async (offers, context) =>
      parts.hidesRefused ? findAllowed(app, offers, callerOf(context)) : [...offers],
    toCall: (operation, input, [context, conversation]) => {
      const client = clientOf(context, conversation);
      const link = asker.createLink(operation.key, context, client);
      const told = { ...callerOf(context), client: client.info, signal: toSignal(context) };
      return { app, operation, input, closing, link, maxResultBytes, ...told };
    },
    run: async (call, toResult) => {
      const end = await callOperation(call, toResult);
      // The SDK sends questions of any method.
      if (end.ok) return end.result as ReturnType<typeof toResult>;
      const { name, status, message, meta } = end.failure;
      const fields = toToldMeta(meta).fields.map(({ path, message: what }) => `- ${path}: ${what}`);
      const text = [`${name} (${status}): ${message}`, ...fields].join('\n');
      throw status >= 500 ? new sdk.ProtocolError(sdk.ProtocolErrorCode.InternalError, text) : toInvalid(text);
    },
    toInvalid,
  };
  const toMissing = (uri: string): Error => new sdk.ResourceNotFoundError(uri, `There is no resource '${uri}'.`);
  return {
    capabilities: toCapabilities(parts, { hasResources: resources.length > 0, hasPrompts: prompts.size > 0 }),
    handlers: {
      ...createToolHandlers(tools, desk),
      ...(resources.length > 0 &&
        createResourceHandlers(resources, desk, { toMissing, isWatchable: changes !== undefined })),
      ...(prompts.size > 0 && createPromptHandlers(prompts, desk)),
      ...(resources.length + prompts.size > 0 && createCompletionHandlers({ resources, prompts }, toInvalid)),
    },
    verify: asker.verify,
  };
}

function createToolHandlers(tools: ReadonlyMap<string, Tool>, { findSeen, toCall, toInvalid }: Desk): Handlers {
  return {
    'tools/list': async ({ cursor }, context) => {
      const seen = await findSeen(tools.values(), context);
      return toListPage({ tools: seen.map(({ description }) => description) }, cursor, toInvalid);
    },
    'tools/call': async ({ name, arguments: input = {}, _meta }, context, conversation) => {
      const tool = tools.get(name);
      if (tool === undefined) throw toInvalid(toUnknown(name, await findSeen(tools.values(), context)));
      const { headers } = callerOf(context, _meta?.['idempotency-key']);
      return callTool({ ...toCall(tool.operation, input, [context, conversation]), headers }, tool.question);
    },
  };
}

/** Names of tools that the caller may not know of are not suggested. */
function toUnknown(name: string, seen: readonly Tool[]): string {
  const names = seen.map(({ description }) => description.name);
  const nearest = findNearestNames(name, names).map((each) => `'${each}'`);
  const advice = nearest.length === 0 ? 'List the tools to see their names.' : `Did you mean ${nearest.join(' or ')}?`;
  return `There is no tool '${name}'. ${advice}`;
}

interface Offered {
  readonly hasResources: boolean;
  readonly hasPrompts: boolean;
}

function toCapabilities(parts: McpServerParts, { hasResources, hasPrompts }: Offered): ServerCapabilities {
  const { app, changes, isLive = false } = parts;
  const change = isLive ? { listChanged: true } : {};
  // There are notes to set a level for.
  const hasNotes = isLive || app.registry.operations.some(reachesCaller);
  return {
    tools: change,
    ...(hasResources && { resources: { ...(changes && { subscribe: true }), ...change } }),
    ...(hasPrompts && { prompts: change }),
    ...((hasResources || hasPrompts) && { completions: {} }),
    ...(hasNotes && { logging: {} }),
  };
}

function reachesCaller({ definition }: Operation): boolean {
  return definition.enhancers.some((enhancer) => innerPartsOf(enhancer).kind === 'caller');
}

/** Makes one server: for one request, one session, or one conversation over streams. */
export type ServerMaker = (kind: ConversationKind) => Server;

export async function loadServerMaker(
  { instructions, ...identity }: ServerIdentity,
  parts: McpServerParts,
): Promise<ServerMaker> {
  const [{ Server: SdkServer }, { capabilities, handlers, verify }] = await Promise.all([
    import('@modelcontextprotocol/server'),
    loadHandlers(parts),
  ]);
  const { changes } = parts;
  const options = { capabilities, requestState: { verify }, ...(instructions !== undefined && { instructions }) };
  return (kind) => {
    const server = new SdkServer(identity as Implementation, options);
    const conversation: Conversation = {
      kind,
      watched: new Set(),
      getClientCapabilities: () => server.getClientCapabilities(),
      getClientVersion: () => server.getClientVersion(),
    };
    for (const [method, handle] of Object.entries(handlers))
      server.setRequestHandler(method as RequestMethod, (request: { readonly params?: unknown }, context) =>
        (handle as Handler)(request.params ?? {}, context, conversation),
      );
    if (kind !== 'request' && changes !== undefined)
      server.onclose = changes.subscribe((uri) => {
        if (kind === 'streams' || conversation.watched.has(uri)) server.sendResourceUpdated({ uri }).catch(() => {});
      });
    return server;
  };
}

type Handler = (params: unknown, context: ServerContext, conversation: Conversation) => Promise<never>;

/** The tools, resources and prompts whose guards let a caller pass. Those with the same guards are asked for once. */
export async function findAllowed<Offer extends { readonly operation: Operation }>(
  app: Application,
  offers: Iterable<Offer>,
  caller: Caller,
): Promise<readonly Offer[]> {
  const answers = new Map<string, Promise<boolean>>();
  const ids = new Map<Guard, number>();
  const toId = (guard: Guard): number => {
    const id = ids.get(guard) ?? ids.size;
    ids.set(guard, id);
    return id;
  };
  const checked = await Promise.all(
    [...offers].map(async (offer) => {
      const { operation } = offer;
      const key = operation.definition.guards.map(toId).join();
      const answer = answers.get(key) ?? mayCall(app, operation, caller);
      answers.set(key, answer);
      return (await answer) ? [offer] : [];
    }),
  );
  return checked.flat();
}

/** Whether no guard refuses with 401 or 403. Nothing is called: no limit counts it, and nobody observes it. */
async function mayCall(
  app: Application,
  operation: Operation,
  { headers, remoteAddress, identity }: Caller,
): Promise<boolean> {
  if (operation.definition.guards.length === 0) return true;
  const { key, timeoutMs } = operation;
  const { newRequestId } = app;
  const door = { transport: 'mcp', remoteAddress, identity, caller: undefined };
  const request = new InvokedRequest({ capability: key, headers, newRequestId, ...door });
  return new Promise((resolve) => {
    const scope = app.openScope(timeoutMs, () => resolve(false));
    request.scope = scope;
    const end = async (isAllowed: boolean): Promise<void> => {
      scope.close();
      await scope.held?.release();
      resolve(isAllowed);
    };
    app.checkGuards(operation, request).then(
      () => end(true),
      (thrown: unknown) => end(![401, 403].includes(toFailure(thrown).status)),
    );
  });
}
