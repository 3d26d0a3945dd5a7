// The public surface of `capix/mcp`.

export type { Authorize } from './authorize.ts';
export { type ApprovalRule, NotApproved } from './load-asker.ts';
export { type McpOptions, mcpTransport } from './mcp-transport.ts';
export { createResourceChanges, type ResourceChanges } from './resources.ts';
