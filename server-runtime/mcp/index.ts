// The public surface of `capix/mcp`.

export type { Authorize } from './authorize.ts';
export { mcpTransport } from './mcp-transport.ts';
export type { McpOptions } from './options.ts';
