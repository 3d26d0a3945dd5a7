import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { Failure } from '../errors/failure.ts';
import { findNearest } from '../errors/find-nearest.ts';
import { dropUnsafeKeys } from '../input/is-unsafe-key.ts';
import type { Operation } from '../registry/operation.ts';
import type { Application } from '../server/application.ts';
import { invokeOperation } from '../server/invoke/invoke-operation.ts';
import { readValue } from '../server/invoke/read-value.ts';
import { toCallEnds } from './call-ends.ts';
import type { Closing } from './closing.ts';
import { toToolError, toToolResult } from './tool-result.ts';
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

/** The facts about who speaks with a server. */
export interface Connection {
  readonly closing: Closing;
  readonly remoteAddress?: string | undefined;
}

/** Makes one server for one connection. */
export type ServerMaker = (connection: Connection) => Server;

/** Loads the SDK, and gives the function that makes servers. */
export async function loadServerMaker({ app, tools, identity }: McpServerParts): Promise<ServerMaker> {
  const [{ Server }, { CallToolRequestSchema, ErrorCode, ListToolsRequestSchema, McpError }] = await Promise.all([
    import('@modelcontextprotocol/sdk/server/index.js'),
    import('@modelcontextprotocol/sdk/types.js'),
  ]);
  const descriptions = [...tools.values()].map(({ description }) => description);
  const { name, version, instructions } = identity;
  return (connection) => {
    const server = new Server(
      { name, version },
      { capabilities: { tools: {} }, ...(instructions === undefined ? {} : { instructions }) },
    );
    server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: descriptions }));
    server.setRequestHandler(CallToolRequestSchema, ({ params }, { signal, requestInfo }) => {
      const tool = tools.get(params.name);
      if (tool === undefined) throw new McpError(ErrorCode.InvalidParams, toUnknownTool(params.name, tools));
      const input = params.arguments ?? {};
      dropUnsafeKeys(input);
      const headers = toTextHeaders(requestInfo?.headers ?? {});
      return callTool(app, tool, { input, headers, signal, connection });
    });
    return server;
  };
}

interface ToolCall {
  readonly input: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  readonly connection: Connection;
}

async function callTool(app: Application, { operation }: Tool, call: ToolCall): Promise<CallToolResult> {
  const { input, headers, connection } = call;
  const ends = toCallEnds(call.signal, connection.closing.signal);
  const finish = async (value: unknown, signal: AbortSignal): Promise<CallToolResult> => {
    ends.limit();
    return toToolResult(await readValue(value, { signal, onLetGo: (cleaned) => connection.closing.add(cleaned) }));
  };
  const outcome = await invokeOperation(
    app,
    { capability: operation.key, input, headers, signal: ends.signal },
    { transport: 'mcp', remoteAddress: connection.remoteAddress, finish },
  );
  ends.release();
  return outcome.ok ? (outcome.value as CallToolResult) : refuse(app, operation, outcome.failure);
}

function refuse(app: Application, operation: Operation, failure: Failure): CallToolResult {
  if (failure.unexpected === true)
    app.logger.error(`[capix] ${operation.key} failed as a tool`, { error: failure.cause });
  try {
    return toToolError(operation, failure);
  } catch (error) {
    app.logger.error(`[capix] The meta of ${failure.name} cannot be written as JSON; it was left out.`, { error });
    return toToolError(operation, { ...failure, meta: undefined });
  }
}

function toUnknownTool(name: string, tools: ReadonlyMap<string, Tool>): string {
  const nearest = findNearest(name, tools.keys());
  return `There is no tool '${name}'. ${nearest === undefined ? 'List the tools to see their names.' : `Did you mean '${nearest}'?`}`;
}

function toTextHeaders(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
): Record<string, string> {
  const texts = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, typeof value === 'string' ? value : value.join(', ')]],
  );
  return Object.fromEntries(texts);
}
