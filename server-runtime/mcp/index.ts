// The public surface of `capix/mcp`.

export { type ApprovalRule, NotApproved } from './ask/ask-approval.ts';
export { type McpOptions, mcpTransport } from './mcp-transport.ts';
export { createResourceChanges, type ResourceChanges } from './offers/resource-changes.ts';
export type { Authorize } from './serve/authorize.ts';
