import type { Readable, Writable } from 'node:stream';
import type { Icon } from '../capability/definition.ts';
import type { GroupTree } from '../capability/group-tree.ts';
import type { OptionNames } from '../errors/expect-options.ts';
import type { Authorize } from '../http/authorize.ts';
import type { TrustProxy } from '../http/trust-proxy.ts';

/** The options of serving capabilities to AI agents. `Own` are capabilities of this transport. */
export interface McpOptions<Own extends GroupTree = GroupTree> {
  /** The name of the server, for agents. @default 'capix' */
  readonly name?: string | undefined;
  /** The version of the server, for agents. @default '0.1.0' */
  readonly version?: string | undefined;
  /** Name of the server for people. */
  readonly title?: string | undefined;
  /** A page about the server, for people. */
  readonly websiteUrl?: string | undefined;
  /** Pictures of the server, for people. */
  readonly icons?: readonly Icon[] | undefined;
  /** The purpose of the server and how its tools go together, for agents. */
  readonly instructions?: string | undefined;
  /** Over HTTP, 0 lets the system choose; with `false`, `toNodeHandler` of the server answers. @default 3001 */
  readonly port?: number | false | undefined;
  /** The address to listen at. @default '127.0.0.1': this machine alone */
  readonly host?: string | undefined;
  /** The path at which it answers, over HTTP. @default '/mcp' */
  readonly path?: string | undefined;
  /** Host names under which others may ask, without port; needed at an address of more than this machine. */
  readonly allowedHosts?: readonly string[] | undefined;
  /** Origins of pages that may ask, beside pages of this machine: `https://app.example.org`. */
  readonly allowedOrigins?: readonly string[] | undefined;
  /** The proxies that are believed about the caller's address, as for `restTransport`. @default none */
  readonly trustProxy?: TrustProxy | undefined;
  /**
   * Decides whether a caller over HTTP may pass. It runs before anything else is done. @default everybody who reaches
   * the port
   */
  readonly authorize?: Authorize;
  /** The place where clients sign their users in, sent with 401 and at `/.well-known/oauth-protected-resource`. */
  readonly resourceMetadata?: ResourceMetadata | undefined;
  /** Whether callers see only the tools whose guards let them pass. @default true with `authorize` */
  readonly hidesRefused?: boolean | undefined;
  /** Whether agents get only what changes nothing: no other tool can be seen or called. @default false */
  readonly readOnly?: boolean | undefined;
  /** Speaks over stdin and stdout, not HTTP. Whatever else is written to stdout goes to stderr. @default false */
  readonly stdio?: boolean | StdioOptions | undefined;
  /**
   * Signs the state that clients hold between a question and its answer, 32 characters or more. @default a random one
   */
  readonly secret?: string;
  /** The most text in one result, bytes; images, audio and files do not count. @default 100,000 */
  readonly maxResultBytes?: number | undefined;
  /** Capabilities of this transport, in place of the application's. */
  readonly capabilities?: Own | undefined;
}

export const mcpOptionNames: OptionNames<McpOptions> = {
  name: true,
  version: true,
  title: true,
  websiteUrl: true,
  icons: true,
  instructions: true,
  port: true,
  host: true,
  path: true,
  allowedHosts: true,
  allowedOrigins: true,
  trustProxy: true,
  authorize: true,
  resourceMetadata: true,
  hidesRefused: true,
  readOnly: true,
  stdio: true,
  secret: true,
  maxResultBytes: true,
  capabilities: true,
};

export interface StdioOptions {
  /** @default stdin */
  readonly input?: Readable | undefined;
  /** @default stdout */
  readonly output?: Writable | undefined;
  /** Called when the conversation is over: everything was responded to since the input has ended, or `stop()`. */
  readonly onClose?: (() => void) | undefined;
}

export const stdioOptionNames: OptionNames<StdioOptions> = {
  input: true,
  output: true,
  onClose: true,
};

/** The place where callers get tokens, for clients that sign their users in (RFC 9728). */
export interface ResourceMetadata {
  /** The address of the endpoint as callers know it, which tokens must be for: `https://api.example.org/mcp`. */
  readonly resource: string;
  readonly authorizationServers: readonly string[];
  readonly scopes?: readonly string[] | undefined;
  readonly name?: string | undefined;
  readonly documentation?: string | undefined;
}
