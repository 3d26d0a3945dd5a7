import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { type Failure, toFailure } from '../errors/failure.ts';
import { dropUnsafeKeys } from '../input/unsafe-keys.ts';
import type { Operation } from '../registry/operation.ts';
import { findNearest } from '../routing/find-nearest.ts';
import { invokeOperation } from '../server/invoke.ts';
import { readValue } from '../server/read-value.ts';
import type { Application } from '../server/transport.ts';
import { toToolError, toToolResult } from './tool-result.ts';
import type { Tool } from './tools.ts';

export interface ServerIdentity {
  readonly name: string;
  readonly version: string;
  /** What the server is for, told to agents. */
  readonly instructions: string | undefined;
}

export interface McpServerParts {
  readonly app: Application;
  readonly tools: ReadonlyMap<string, Tool>;
  readonly identity: ServerIdentity;
}

/** Loads the SDK, and gives the function that makes one server for one connection. */
export async function loadServerMaker({ app, tools, identity }: McpServerParts): Promise<() => Server> {
  const [{ Server }, { CallToolRequestSchema, ErrorCode, ListToolsRequestSchema, McpError }] = await Promise.all([
    import('@modelcontextprotocol/sdk/server/index.js'),
    import('@modelcontextprotocol/sdk/types.js'),
  ]);
  const descriptions = [...tools.values()].map(({ description }) => description);
  const { name, version, instructions } = identity;
  return () => {
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
      return callTool(app, tool, {
        input,
        headers: toTextHeaders(requestInfo?.headers ?? {}),
        signal,
      });
    });
    return server;
  };
}

interface ToolCall {
  readonly input: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

async function callTool(app: Application, { operation }: Tool, call: ToolCall): Promise<CallToolResult> {
  const outcome = await invokeOperation(app, { capability: operation.key, ...call });
  if (!outcome.ok) return refuse(app, operation, outcome.failure);
  try {
    return toToolResult(await readValue(outcome.value));
  } catch (thrown) {
    return refuse(app, operation, toFailure(thrown));
  }
}

function refuse(app: Application, operation: Operation, failure: Failure): CallToolResult {
  if (failure.unexpected === true)
    app.logger.error(`[capix] ${operation.key} failed as a tool`, { error: failure.cause });
  return toToolError(operation, failure);
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
