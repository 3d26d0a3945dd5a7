import type { Server, ServerContext } from '@modelcontextprotocol/server';
import { findNearest } from '../errors/find-nearest.ts';
import { dropUnsafeKeys } from '../input/is-unsafe-key.ts';
import type { Application } from '../server/application.ts';
import { callTool } from './call-tool.ts';
import { callerOf } from './serve/caller.ts';
import type { Closing } from './serve/closing.ts';
import type { Tool } from './tools.ts';

export interface ServerIdentity {
  readonly name: string;
  readonly version: string;
  /** The purpose of the server, told to agents. */
  readonly instructions: string | undefined;
}

export interface McpServerParts {
  readonly app: Application;
  readonly tools: ReadonlyMap<string, Tool>;
  readonly identity: ServerIdentity;
}

/** Makes one server: for one request, one session, or one conversation over streams. */
export type ServerMaker = (closing: Closing) => Server;

/** Loads the SDK, and gives the function that makes servers. */
export async function loadServerMaker({ app, tools, identity }: McpServerParts): Promise<ServerMaker> {
  const { ProtocolError, ProtocolErrorCode, Server } = await import('@modelcontextprotocol/server');
  const descriptions = [...tools.values()].map(({ description }) => description);
  const { name, version, instructions } = identity;
  return (closing) => {
    const server = new Server(
      { name, version },
      { capabilities: { tools: {} }, ...(instructions === undefined ? {} : { instructions }) },
    );
    server.setRequestHandler('tools/list', () => ({ tools: descriptions }));
    server.setRequestHandler('tools/call', ({ params }, context) => {
      const tool = tools.get(params.name);
      if (tool === undefined) {
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, toUnknownTool(params.name, tools));
      }
      const input = params.arguments ?? {};
      dropUnsafeKeys(input);
      return callTool(app, tool, { input, closing, signal: toSignal(context), ...callerOf(context) });
    });
    return server;
  };
}

/** Over HTTP a caller who closes the connection has left, too. */
function toSignal({ mcpReq, http }: ServerContext): AbortSignal {
  return http?.req === undefined ? mcpReq.signal : AbortSignal.any([mcpReq.signal, http.req.signal]);
}

function toUnknownTool(name: string, tools: ReadonlyMap<string, Tool>): string {
  const nearest = findNearest(name, tools.keys());
  return `There is no tool '${name}'. ${nearest === undefined ? 'List the tools to see their names.' : `Did you mean '${nearest}'?`}`;
}
