// The public surface of `capix/mcp`.

export { mcpTransport } from './mcp-transport.ts';
export type { Authorize, McpOptions } from './options.ts';
