import { innerPartsOf } from '../capability/enhancer.ts';
import { findNearestNames } from '../errors/expect-options.ts';
import { toFailure } from '../errors/failure.ts';
import type { Operation } from '../registry/operation.ts';
import { toToldMeta } from '../schema/received.ts';
import type { Application } from '../server/create-application.ts';
import { InvokedRequest } from '../server/invoke-operation.ts';
import { callOperation, type ProtocolCall } from './call-operation.ts';
import { callTool } from './call-tool.ts';
import { type Caller, callerOf, clientOf, toSignal } from './caller.ts';
import type { Desk, Handlers, McpMethods, Offered } from './handlers.ts';
import { loadAsker } from './load-asker.ts';
import type { McpOptions } from './options.ts';
import { createCompletionHandlers, createPromptHandlers, createPromptLists, toPrompts } from './prompts.ts';
import { createResourceHandlers, createResourceLists, toResources } from './resources.ts';
import type { Tool } from './tools.ts';

export interface McpServerParts
  extends Pick<McpOptions, 'secret' | 'maxResultBytes' | 'changes'>,
    Pick<ProtocolCall, 'onLetGo'> {
  readonly app: Application;
  readonly tools: ReadonlyMap<string, Tool>;
  /** Whether callers see only the tools whose guards let them pass. */
  readonly hidesRefused: boolean;
  /** Whether the lists may change during a conversation, of which its transport tells the client. */
  readonly isLive?: boolean | undefined;
}

/** A quarter of the window of a small model. */
const MAX_RESULT_BYTES = 100_000;

/** Loads the SDK, and gives what responds to the messages of clients. */
export async function loadMethods(parts: McpServerParts): Promise<McpMethods> {
  const { app, tools, changes, onLetGo, maxResultBytes = MAX_RESULT_BYTES } = parts;
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
      const signal = toSignal(context, conversation);
      const limits = { maxResultBytes, onLetGo, signal };
      return { app, operation, input, link, client: client.info, ...limits, ...callerOf(context) };
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
  const [hasResources, hasPrompts] = [resources.length > 0, prompts.size > 0];
  const listed = parts.isLive === true ? { listChanged: true } : {};
  return {
    capabilities: {
      tools: listed,
      ...(hasResources && { resources: { ...(changes && { subscribe: true }), ...listed } }),
      ...(hasPrompts && { prompts: listed }),
      ...((hasResources || hasPrompts) && { completions: {} }),
      // There are notes to set a level for.
      ...((parts.isLive === true || operations.some(reachesCaller)) && { logging: {} }),
    },
    lists: {
      'tools/list': async (context) => {
        const seen = await desk.findSeen(tools.values(), context);
        return { tools: seen.map(({ description }) => description) };
      },
      ...(hasResources && createResourceLists(resources, desk)),
      ...(hasPrompts && createPromptLists(prompts, desk)),
    },
    handlers: {
      'tools/call': toToolHandler(tools, desk),
      ...(hasResources && createResourceHandlers(resources, desk, { toMissing, isWatchable: changes !== undefined })),
      ...(hasPrompts && createPromptHandlers(prompts, desk)),
      ...((hasResources || hasPrompts) && createCompletionHandlers({ resources, prompts }, toInvalid)),
    },
    verify: asker.verify,
    changes,
  };
}

function reachesCaller({ definition }: Operation): boolean {
  return definition.enhancers.some((enhancer) => innerPartsOf(enhancer).kind === 'caller');
}

function toToolHandler(
  tools: ReadonlyMap<string, Tool>,
  { findSeen, toCall, toInvalid }: Desk,
): NonNullable<Handlers['tools/call']> {
  return async ({ name, arguments: input = {} }, ...message) => {
    const tool = tools.get(name);
    if (tool === undefined) throw toInvalid(toUnknown(name, await findSeen(tools.values(), message[0])));
    return callTool(toCall(tool.operation, input, message));
  };
}

/** Names of tools that the caller may not know of are not suggested. */
function toUnknown(name: string, seen: readonly Tool[]): string {
  const names = seen.map(({ description }) => description.name);
  const nearest = findNearestNames(name, names).map((each) => `'${each}'`);
  const advice = nearest.length === 0 ? 'List the tools to see their names.' : `Did you mean ${nearest.join(' or ')}?`;
  return `There is no tool '${name}'. ${advice}`;
}

/** The tools, resources and prompts whose guards let a caller pass. Those with the same guards are asked for once. */
async function findAllowed<Offer extends Offered>(
  app: Application,
  offers: Iterable<Offer>,
  caller: Caller,
): Promise<readonly Offer[]> {
  const all = [...offers];
  const guards = [...new Set(all.flatMap(({ operation }) => operation.definition.guards))];
  const answers = new Map<string, Promise<boolean>>();
  const allowed = await Promise.all(
    all.map(({ operation }) => {
      const key = operation.definition.guards.map((guard) => guards.indexOf(guard)).join();
      const answer = answers.get(key) ?? mayCall(app, operation, caller);
      answers.set(key, answer);
      return answer;
    }),
  );
  return all.filter((_, index) => allowed[index]);
}

/** Whether no guard refuses with 401 or 403. Nothing is called: no limit counts it, and nobody observes it. */
async function mayCall(app: Application, operation: Operation, { headers, ...caller }: Caller): Promise<boolean> {
  if (operation.definition.guards.length === 0) return true;
  const { key, timeoutMs } = operation;
  const door = { ...caller, transport: 'mcp', caller: undefined };
  const request = new InvokedRequest({ capability: key, headers }, door, app.newRequestId);
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
