import * as sdk from '@modelcontextprotocol/server';
import { findNearestNames } from '../errors/expect-options.ts';
import { untilAborted } from '../resources/item-source.ts';
import type { Application } from '../server/create-application.ts';
import { toInvokedCall } from '../server/invoke-operation.ts';
import { createAsker } from './asker.ts';
import { callOperation, type ProtocolCall } from './call-operation.ts';
import { type ReadContent, toMessages, toResourceResult, toToolResult } from './contents.ts';
import { findResource, type Offered, suggestValues, toPrompts, toResources } from './offers.ts';
import { INVALID_PARAMS, type McpMethods, type Message, toProtocolError } from './server-maker.ts';
import { toTools } from './tools.ts';

export interface McpServerParts extends Pick<ProtocolCall, 'app' | 'maxResultBytes' | 'onLetGo'> {
  readonly secret?: string | undefined;
  readonly hidesRefused?: boolean;
  /** Whether the lists may change during a conversation, of which its transport tells the client. */
  readonly isLive?: boolean;
}

/** Gives what responds to the messages of clients. @throws TypeError for offers that cannot be */
export function createMethods({ secret, hidesRefused, isLive, ...parts }: McpServerParts): McpMethods {
  const { operations } = parts.app.registry;
  const tools = toTools(operations);
  const prompts = toPrompts(operations);
  const resources = toResources(operations, (uri) => new sdk.UriTemplate(uri));
  const asker = createAsker(secret);
  const listed = isLive === true ? { listChanged: true } : {};
  const list = async (offers: Iterable<Offered>, { caller }: Message): Promise<never[]> => {
    const seen = hidesRefused === true ? await findAllowed(parts.app, [...offers], caller) : [...offers];
    return seen.map(({ description }) => description as never);
  };
  const listResources = (isFixed: boolean, message: Message): Promise<never[]> =>
    list(
      resources.filter((each) => each.isFixed === isFixed),
      message,
    );
  const handlers: McpMethods['handlers'] = {
    'tools/list': async (_all, message) => ({ tools: await list(tools.values(), message) }),
    'resources/list': async (_all, message) => ({ resources: await listResources(true, message) }),
    'resources/templates/list': async (_all, message) => ({ resourceTemplates: await listResources(false, message) }),
    'prompts/list': async (_all, message) => ({ prompts: await list(prompts.values(), message) }),
    'tools/call': async ({ name, arguments: input = {} }: sdk.CallToolRequest['params'], message) => {
      const operation = tools.get(name)?.operation;
      if (operation === undefined) throw toUnknownTool(name, await list(tools.values(), message));
      const toRefused = (text: string): sdk.CallToolResult => ({ isError: true, content: [{ type: 'text', text }] });
      return callOperation({ ...parts, asker, operation, input, message }, { toResult: toToolResult, toRefused });
    },
    'resources/read': ({ uri }: sdk.ReadResourceRequest['params'], message) => {
      const found = findResource(resources, uri);
      if (found === undefined) throw toProtocolError(`There is no resource '${uri}'.`, INVALID_PARAMS, { uri });
      const { operation, input, mimeType } = found;
      const toResult = (content: ReadContent) => toResourceResult(content, uri);
      return callOperation({ ...parts, asker, operation, input, message }, { toResult, uri, mimeType });
    },
    'prompts/get': ({ name, arguments: given = {} }: sdk.GetPromptRequest['params'], message) => {
      const prompt = prompts.get(name);
      if (prompt === undefined) throw toProtocolError(`There is no prompt '${name}'.`);
      const { operation, toInput, description } = prompt;
      const said = description.description === undefined ? {} : { description: description.description };
      const toResult = (content: ReadContent) => ({ ...said, messages: toMessages(content) });
      return callOperation({ ...parts, asker, operation, input: toInput(given), message }, { toResult });
    },
    'completion/complete': async ({ ref, argument, context }: sdk.CompleteRequest['params']) => {
      const name = 'uri' in ref ? ref.uri : ref.name;
      const offer = 'uri' in ref ? resources.find(({ uri }) => uri === name) : prompts.get(name);
      if (offer === undefined) throw toProtocolError(`There is no prompt or resource '${name}'.`);
      const found = await suggestValues(offer, argument, context?.arguments ?? {});
      // The protocol admits no more.
      const values = found.slice(0, 100);
      return { completion: { values, total: found.length, hasMore: values.length < found.length } };
    },
  };
  const capabilities = { tools: listed, resources: listed, prompts: listed, completions: {}, logging: {} };
  return { capabilities, handlers, verify: asker.verify };
}

function toUnknownTool(name: string, seen: readonly { readonly name: string }[]): Error {
  const names = seen.map((tool) => tool.name);
  const nearest = findNearestNames(name, names).map((each) => `'${each}'`);
  const advice = nearest.length === 0 ? 'List the tools to see their names.' : `Did you mean ${nearest.join(' or ')}?`;
  return toProtocolError(`There is no tool '${name}'. ${advice}`);
}

/** The offers whose guards let a caller pass. Nothing is called: no limit counts it, and nobody observes it. */
async function findAllowed(app: Application, offers: readonly Offered[], { headers, ...door }: Message['caller']) {
  const guards = new Set(offers.flatMap(({ operation }) => operation.definition.guards));
  if (guards.size === 0) return offers;
  const call = toInvokedCall({ capability: 'list', headers }, { ...door, transport: 'mcp' });
  call.timeoutMs = app.timeoutMs;
  call.arm();
  try {
    const refusing = await untilAborted(app.findRefusing([...guards], call), call.signal);
    return offers.filter(({ operation }) => !operation.definition.guards.some((guard) => refusing.has(guard)));
  } finally {
    call.close();
    await call.held?.release();
  }
}
