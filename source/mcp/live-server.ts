import * as sdk from '@modelcontextprotocol/server';
import type { EndpointParts } from '../../server-runtime/mcp/endpoint.ts';
import { createServerMaker, type Message } from '../../server-runtime/mcp/server-maker.ts';
import type { McpValues } from '../flags/mcp-flags.ts';
import { ChildEnded } from '../system/child-channel.ts';
import type { LiveTools } from './live-tools.ts';
import { addRequests, answerOfRequests } from './request-resources.ts';
import type { LoadedOffers } from './tools-process.ts';

/** Makes servers that answer lists by themselves, and what runs code by the process that has the newest. */
export function createLiveServers(
  tools: LiveTools,
  { name, apiVersion }: McpValues,
  secret: string,
): EndpointParts {
  const { verify } = sdk.createRequestStateCodec({ key: secret });
  const bus = new sdk.InMemoryServerEventBus();
  /** Streams that last longer than a request, and whether they are of a revision before 2026-07-28. */
  const lasting = new Map<sdk.Server, boolean>();

  const fail = (error: Error): never => {
    const reason =
      error instanceof ChildEnded
        ? `The project's code ${error.reason} before it answered.`
        : error.message;
    throw new sdk.ProtocolError(sdk.INTERNAL_ERROR, reason);
  };
  const ask = async (method: string, params: object, message: Message): Promise<object> => {
    const process = await tools.take().catch(fail);
    const handled = await process.handle(method, params, message).catch(fail);
    if (handled.kind === 'error')
      throw new sdk.ProtocolError(handled.code, handled.message, handled.data);
    return handled.result;
  };
  const createServer = createServerMaker({ name, version: apiVersion }, () => {
    const { capabilities, lists, methods } = tools.offers;
    const handlers = methods.map((method) => [
      method,
      (params: object, message: Message) =>
        method.endsWith('/list')
          ? addRequests(method, tools.offers.lists[method] ?? lists[method])
          : (answerOfRequests(tools.root, method, params) ?? ask(method, params, message)),
    ]);
    return { capabilities, handlers: Object.fromEntries(handlers), verify };
  });

  tools.onChange = (before, now) => {
    const changed = kinds.filter((kind) => toListText(kind, before) !== toListText(kind, now));
    for (const kind of changed) {
      bus.publish({ kind: `${kind}_list_changed` });
      for (const server of lasting.keys())
        server.notification({ method: `notifications/${kind}/list_changed` }).catch(() => {});
    }
    return changed;
  };
  tools.onTrouble = (data) => {
    for (const [server, isOlder] of lasting)
      if (isOlder)
        server.sendLoggingMessage({ level: 'error', logger: 'capix', data }).catch(() => {});
  };

  return {
    bus,
    createMcpServer: (kind) => {
      const server = createServer(kind);
      if (kind === 'streams') lasting.set(server, false);
      if (kind === 'session') server.oninitialized = () => void lasting.set(server, true);
      server.onclose = () => void lasting.delete(server);
      return server;
    },
  };
}

/** The offers that have lists: `tools/list`, `resources/list`, `resources/templates/list`, `prompts/list`. */
const kinds = ['tools', 'resources', 'prompts'] as const;

function toListText(kind: (typeof kinds)[number], { lists }: LoadedOffers): string {
  return JSON.stringify(Object.entries(lists).filter(([method]) => method.startsWith(`${kind}/`)));
}
