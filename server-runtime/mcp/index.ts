// The public surface of `capix/mcp`.

export { type McpOptions, mcpTransport, type StdioOptions } from './mcp-transport.ts';
export type { SearchMode } from './search/create-tool-search.ts';
export type { Authorize, AuthorizeRequest, ResourceMetadata } from './serve/authorize.ts';
