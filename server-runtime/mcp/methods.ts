import { randomBytes } from 'node:crypto';
import { unescape } from 'node:querystring';
import * as sdk from '@modelcontextprotocol/server';
import { type ParamSource, toParamText } from '../capability/guard-call.ts';
import { findNearestNames } from '../errors/expect-options.ts';
import { toFailure } from '../errors/failure.ts';
import { isRefusal } from '../execution/check-guards.ts';
import { untilAborted } from '../resources/item-source.ts';
import type { Application } from '../server/application.ts';
import { InvokedCall } from '../server/invoke-operation.ts';
import type { AskCodec } from './asker.ts';
import { callOperation, type ProtocolCall } from './call-operation.ts';
import { ofTools, type ReadContent, toMessages, toResourceResult } from './contents.ts';
import {
  isReadOnly,
  type Offer,
  type Offered,
  type Resource,
  suggestValues,
  toPrompts,
  toResources,
  toTools,
} from './offers.ts';
import { type McpMethods, type Message, toUnknown } from './server-maker.ts';
import { toMeantInput } from './to-meant-input.ts';

interface McpServerParts extends Pick<ProtocolCall<object>, 'app' | 'maxResultBytes' | 'onLetGo'> {
  readonly secret?: string | undefined;
  readonly hidesRefused?: boolean;
  readonly readOnly?: boolean | undefined;
  /** Whether the lists may change during a conversation, of which its transport tells the client. */
  readonly isLive?: boolean;
}

/** Makes the functions that respond to the messages of clients. @throws TypeError for invalid offers */
export function createMethods({
  secret,
  hidesRefused,
  readOnly = false,
  isLive,
  ...parts
}: McpServerParts): McpMethods {
  const operations = parts.app.registry.operations.filter(
    (operation) => !readOnly || isReadOnly(operation),
  );
  const tools = toTools(operations);
  const prompts = toPrompts(operations);
  const resources = toResources(operations, (uri) => new sdk.UriTemplate(uri));
  const codec: AskCodec = sdk.createRequestStateCodec({ key: secret ?? randomBytes(32) });
  const listed = isLive === true ? { listChanged: true } : {};
  const see = async (offers: readonly Offered[], { caller }: Message) => {
    const seen = hidesRefused === true ? await findAllowed(parts.app, offers, caller) : offers;
    return seen.map(({ description }) => description);
  };
  const toLister =
    (name: string, offers: readonly Offered[]) => async (_all: never, message: Message) => ({
      [name]: await see(offers, message),
    });
  const fixed = resources.filter(({ isFixed }) => isFixed);
  const templates = resources.filter(({ isFixed }) => !isFixed);
  const handlers: McpMethods['handlers'] = {
    'tools/list': toLister('tools', [...tools.values()]),
    'resources/list': toLister('resources', fixed),
    'resources/templates/list': toLister('resourceTemplates', templates),
    'prompts/list': toLister('prompts', [...prompts.values()]),
    'tools/call': async (
      { name, arguments: input = {} }: sdk.CallToolRequest['params'],
      message,
    ) => {
      const operation = tools.get(name)?.operation;
      if (operation === undefined)
        throw toUnknownTool(name, await see([...tools.values()], message));
      const meant = toMeantInput(operation.definition.schema, input);
      return callOperation({ ...parts, codec, operation, input: meant, message, ...ofTools });
    },
    'resources/read': ({ uri }: sdk.ReadResourceRequest['params'], message) => {
      const found = findResource(resources, uri);
      if (found === undefined) throw toUnknown(`There is no resource '${uri}'.`, { uri });
      const { operation, mimeType, toInput } = found.resource;
      const toResult = (content: ReadContent) => toResourceResult(content, uri);
      const input = toInput(found.texts);
      return callOperation({ ...parts, codec, operation, input, message, uri, mimeType, toResult });
    },
    'prompts/get': ({ name, arguments: values = {} }: sdk.GetPromptRequest['params'], message) => {
      const prompt = prompts.get(name);
      if (prompt === undefined) throw toUnknown(`There is no prompt '${name}'.`);
      const { operation, mimeType } = prompt;
      const { description } = prompt.description;
      const toResult = (content: ReadContent) => ({ description, messages: toMessages(content) });
      return callOperation({
        ...parts,
        codec,
        operation,
        input: prompt.toInput(values),
        message,
        mimeType,
        toResult,
      });
    },
    'completion/complete': async (params: sdk.CompleteRequest['params'], message) => {
      const { ref } = params;
      const name = 'uri' in ref ? ref.uri : ref.name;
      const offer = 'uri' in ref ? resources.find(({ uri }) => uri === name) : prompts.get(name);
      const unknown = toUnknown(`There is no prompt or resource '${name}'.`);
      if (offer === undefined) throw unknown;
      const refused = hidesRefused === true ? unknown : undefined;
      const found = await complete(parts.app, { offer, params, message, refused });
      // The protocol admits no more.
      const values = found.slice(0, 100);
      return { completion: { values, total: found.length, hasMore: values.length < found.length } };
    },
  };
  const capabilities = {
    tools: listed,
    resources: listed,
    prompts: listed,
    completions: {},
    logging: {},
  };
  return { capabilities, handlers, verify: codec.verify };
}

function toUnknownTool(name: string, seen: readonly Offered['description'][]): sdk.ProtocolError {
  const names = seen.map((tool) => tool.name);
  const nearest = findNearestNames(name, names).map((each) => `'${each}'`);
  const advice =
    nearest.length === 0
      ? 'List the tools to see their names.'
      : `Did you mean ${nearest.join(' or ')}?`;
  return toUnknown(`There is no tool '${name}'. ${advice}`);
}

/** The first resource that has this address, and the texts of the address for its fields in braces. */
function findResource(
  resources: readonly Resource[],
  uri: string,
): { readonly resource: Resource; readonly texts: Readonly<Record<string, string>> } | undefined {
  for (const resource of resources) {
    const variables = resource.template.match(uri);
    if (variables === null) continue;
    const texts = Object.entries(variables).map(([name, value]) => [name, unescape(`${value}`)]);
    return { resource, texts: Object.fromEntries(texts) };
  }
  return undefined;
}

/** A request for suggestions. `refused` replaces the refusal of a guard, where a caller must not learn of the offer. */
interface Completion {
  readonly offer: Offer;
  readonly params: sdk.CompleteRequest['params'];
  readonly message: Message;
  readonly refused: sdk.ProtocolError | undefined;
}

/** Suggests values behind the guards of the offer. Rejects with the error for the client. */
async function complete(
  app: Application,
  { offer, params, message, refused }: Completion,
): Promise<readonly string[]> {
  const { key, definition } = offer.operation;
  const filled = params.context?.arguments ?? {};
  const fields = offer.toInput(filled);
  // A guard that reads a parameter can let nobody pass before it is filled in.
  const reads = definition.guards.flatMap((guard) => guard.params);
  if (reads.some((name) => toParamText(fields, name) === undefined)) return [];
  const source: ParamSource = { readParams: () => ({ ok: true, value: fields }) };
  try {
    return await whileCalled(app, message.caller, async (call) => {
      const context = await app.admit(definition.guards, call, source);
      return suggestValues(offer, params, context);
    });
  } catch (thrown) {
    const { status, name, message: reason, cause, unexpected } = toFailure(thrown);
    if (unexpected === true)
      app.logger.error(`[capix] The suggestions of ${key} failed`, { error: cause });
    if (refused !== undefined && (status === 401 || status === 403)) throw refused;
    const code = status >= 500 ? sdk.INTERNAL_ERROR : sdk.INVALID_PARAMS;
    throw new sdk.ProtocolError(code, `${name} (${status}): ${reason}`);
  }
}

/** Runs work that needs a caller but calls no capability, within the time of a call. No observer sees it. */
async function whileCalled<T>(
  app: Application,
  { headers, ...door }: Message['caller'],
  run: (call: InvokedCall) => Promise<T>,
): Promise<T> {
  const call = new InvokedCall(app, { capability: 'list', headers }, { ...door, transport: 'mcp' });
  call.timeoutMs = app.timeoutMs;
  call.arm();
  try {
    return await untilAborted(run(call), call.signal);
  } finally {
    call.close();
    await call.release();
  }
}

/**
 * The offers whose guards let a caller pass, except for those that read parameters: a list names none. No limit counts
 * the check.
 */
async function findAllowed(
  app: Application,
  offers: readonly Offered[],
  caller: Message['caller'],
): Promise<readonly Offered[]> {
  const lists = offers.map(({ operation }) => operation.definition.guards);
  if (lists.every((guards) => guards.length === 0)) return offers;
  const refusals = await whileCalled(app, caller, (call) => app.findRefusals(lists, call));
  return offers.filter((_, at) => {
    const reason = refusals[at];
    return reason === undefined || !isRefusal(reason);
  });
}
