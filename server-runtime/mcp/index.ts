// The public surface of `capix/mcp`.

export type { Icon } from '../capability/capability-definition.ts';
export type { TrustProxy } from '../http/trust-proxy.ts';
export { type ApprovalRule, NotApproved } from './ask/ask-approval.ts';
export { type McpOptions, mcpTransport, type StdioOptions } from './mcp-transport.ts';
export { createResourceChanges, type ResourceChanges } from './offers/resource-changes.ts';
export type { Authorize, AuthorizeRequest, ResourceMetadata } from './serve/authorize.ts';
