import type * as protocol from '@modelcontextprotocol/server';
import type { ServerContext } from '@modelcontextprotocol/server';
import { findNearestNames } from '../errors/expect-options.ts';
import { toFailure } from '../errors/failure.ts';
import type { Operation } from '../registry/operation.ts';
import { toToldMeta } from '../schema/received.ts';
import type { Application } from '../server/create-application.ts';
import { toInvokedCall } from '../server/invoke-operation.ts';
import { callOperation, type ProtocolCall, type ReadContent } from './call-operation.ts';
import { callTool } from './call-tool.ts';
import { type Caller, callerOf, clientOf, toSignal } from './caller.ts';
import { toMessages, toResourceResult } from './contents.ts';
import type { Handlers, McpMethods, Message } from './handlers.ts';
import { type Asker, loadAsker } from './load-asker.ts';
import {
  findResource,
  isFixed,
  type Offered,
  type OfferedPrompt,
  type OfferedResource,
  suggest,
  toPrompts,
  toResources,
} from './offers.ts';
import type { McpOptions } from './options.ts';
import type { Tool } from './tools.ts';

export interface McpServerParts extends Pick<McpOptions, 'secret' | 'maxResultBytes'>, Pick<ProtocolCall, 'onLetGo'> {
  readonly app: Application;
  readonly tools: ReadonlyMap<string, Tool>;
  /** Whether callers see only what their guards let them use. */
  readonly hidesRefused: boolean;
  /** Whether the lists may change during a conversation, of which its transport tells the client. */
  readonly isLive?: boolean | undefined;
}

/** A quarter of the window of a small model. */
const MAX_RESULT_BYTES = 100_000;
/** The longest list of suggestions that the protocol admits. */
const MAX_VALUES = 100;

/** Loads the SDK, and gives what responds to the messages of clients. */
export async function loadMethods(parts: McpServerParts): Promise<McpMethods> {
  const { app, tools, isLive = false } = parts;
  const [sdk, asker] = await Promise.all([import('@modelcontextprotocol/server'), loadAsker(parts.secret)]);
  const { operations } = app.registry;
  const resources = toResources(operations, (uri) => new sdk.UriTemplate(uri));
  const offers = { tools, resources, prompts: toPrompts(operations) };
  const desk = createDesk(parts, sdk, asker);
  const listed = isLive ? { listChanged: true } : {};
  return {
    capabilities: { tools: listed, resources: listed, prompts: listed, completions: {}, logging: {} },
    lists: toLists(offers, desk),
    handlers: toHandlers(offers, desk),
    verify: asker.verify,
  };
}

interface Offers {
  readonly tools: ReadonlyMap<string, Tool>;
  readonly resources: readonly OfferedResource[];
  readonly prompts: ReadonlyMap<string, OfferedPrompt>;
}

type Desk = ReturnType<typeof createDesk>;

/** The steps that handlers have in common. */
function createDesk(parts: McpServerParts, sdk: typeof protocol, asker: Asker) {
  const { app, onLetGo, maxResultBytes = MAX_RESULT_BYTES } = parts;
  const toInvalid = (message: string): Error => new sdk.ProtocolError(sdk.ProtocolErrorCode.InvalidParams, message);
  const toMissing = (uri: string): Error => new sdk.ResourceNotFoundError(uri, `There is no resource '${uri}'.`);
  /** The offers that the sender of a message may use. */
  const findSeen = async <Offer extends Offered>(offers: readonly Offer[], context: ServerContext) =>
    parts.hidesRefused ? findAllowed(app, offers, callerOf(context)) : offers;
  const toCall = (operation: Operation, input: object, message: Message): ProtocolCall => {
    const [context] = message;
    const client = clientOf(message);
    const link = asker.createLink(operation.key, context, client);
    const limits = { maxResultBytes, onLetGo, signal: toSignal(...message) };
    return { app, operation, input, link, client: client.info, ...limits, ...callerOf(context) };
  };
  /** Rejects with an error of the protocol where the call is refused. */
  async function run<Result extends object>(
    call: ProtocolCall,
    toResult: (content: ReadContent) => Result,
  ): Promise<Result> {
    const outcome = await callOperation(call, toResult);
    // The SDK sends questions of any method.
    if (outcome.ok) return outcome.value as Result;
    const { name, status, message, meta } = outcome.failure;
    const fields = toToldMeta(meta).fields.map(({ path, message: what }) => `- ${path}: ${what}`);
    const text = [`${name} (${status}): ${message}`, ...fields].join('\n');
    throw status >= 500 ? new sdk.ProtocolError(sdk.ProtocolErrorCode.InternalError, text) : toInvalid(text);
  }
  return { toInvalid, toMissing, findSeen, toCall, run };
}

function toLists({ tools, resources, prompts }: Offers, { findSeen }: Desk): McpMethods['lists'] {
  const toList = (name: string, offers: readonly Offered[]) => async (context: ServerContext) => {
    const seen = await findSeen(offers, context);
    return { [name]: seen.map(({ description }) => description) };
  };
  return {
    'tools/list': toList('tools', [...tools.values()]),
    'resources/list': toList('resources', resources.filter(isFixed)),
    'resources/templates/list': toList(
      'resourceTemplates',
      resources.filter((each) => !isFixed(each)),
    ),
    'prompts/list': toList('prompts', [...prompts.values()]),
  };
}

function toHandlers({ tools, resources, prompts }: Offers, desk: Desk): Handlers {
  const { toInvalid, toMissing, findSeen, toCall, run } = desk;
  return {
    'tools/call': async ({ name, arguments: input = {} }, ...message) => {
      const tool = tools.get(name);
      if (tool !== undefined) return callTool(toCall(tool.operation, input, message));
      // Names of tools that the caller may not know of are not suggested.
      const names = (await findSeen([...tools.values()], message[0])).map(({ description }) => description.name);
      const nearest = findNearestNames(name, names).map((each) => `'${each}'`);
      const advice =
        nearest.length > 0 ? `Did you mean ${nearest.join(' or ')}?` : 'List the tools to see their names.';
      throw toInvalid(`There is no tool '${name}'. ${advice}`);
    },
    'resources/read': ({ uri }, ...message) => {
      const found = findResource(resources, uri);
      if (found === undefined) throw toMissing(uri);
      const { operation, input, options } = found;
      return run(toCall(operation, input, message), (content) => toResourceResult(content, uri, options.mimeType));
    },
    'prompts/get': ({ name, arguments: given = {} }, ...message) => {
      const prompt = prompts.get(name);
      if (prompt === undefined) throw toInvalid(`There is no prompt '${name}'.`);
      const { description } = prompt.description;
      const call = toCall(prompt.operation, prompt.toInput(given), message);
      return run(call, (content) => ({ ...(description && { description }), messages: toMessages(content) }));
    },
    'completion/complete': async ({ ref, argument, context: { arguments: given = {} } = {} }) => {
      const isPrompt = ref.type === 'ref/prompt';
      const offer = isPrompt ? prompts.get(ref.name) : resources.find(({ options }) => options.uri === ref.uri);
      if (offer === undefined) throw isPrompt ? toInvalid(`There is no prompt '${ref.name}'.`) : toMissing(ref.uri);
      const found = await suggest(offer, argument, given);
      const values = found.slice(0, MAX_VALUES);
      return { completion: { values, total: found.length, hasMore: values.length < found.length } };
    },
  };
}

/** The offers whose guards let a caller pass. Those with the same guards are asked for once. */
async function findAllowed<Offer extends Offered>(
  app: Application,
  offers: readonly Offer[],
  caller: Caller,
): Promise<readonly Offer[]> {
  const guards = [...new Set(offers.flatMap(({ operation }) => operation.definition.guards))];
  const answers = new Map<string, Promise<boolean>>();
  const allowed = await Promise.all(
    offers.map(({ operation }) => {
      const key = operation.definition.guards.map((guard) => guards.indexOf(guard)).join();
      const answer = answers.get(key) ?? mayCall(app, operation, caller);
      answers.set(key, answer);
      return answer;
    }),
  );
  return offers.filter((_, index) => allowed[index]);
}

/** Whether no guard refuses with 401 or 403. Nothing is called: no limit counts it, and nobody observes it. */
async function mayCall(app: Application, operation: Operation, { headers, ...caller }: Caller): Promise<boolean> {
  const { key, timeoutMs, definition } = operation;
  if (definition.guards.length === 0) return true;
  const call = toInvokedCall({ capability: key, headers }, { ...caller, transport: 'mcp' }, app.newRequestId);
  return new Promise((resolve) => {
    call.timeoutMs = timeoutMs ?? app.timeoutMs;
    call.onTimeout = () => resolve(false);
    call.arm();
    const end = async (isAllowed: boolean): Promise<void> => {
      call.close();
      await call.held?.release();
      resolve(isAllowed);
    };
    app.checkGuards(operation, call).then(
      () => end(true),
      (thrown: unknown) => end(![401, 403].includes(toFailure(thrown).status)),
    );
  });
}
