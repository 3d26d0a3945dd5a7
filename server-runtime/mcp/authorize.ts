import type { IncomingMessage } from 'node:http';
import { toFailure } from '../errors/failure.ts';

/** The facts about a caller, before anything of the request is read. */
export interface AuthorizeRequest {
  /** The token of `Authorization: Bearer …`; undefined without one. */
  readonly token: string | undefined;
  /** The headers by name, in lower case. */
  readonly headers: IncomingMessage['headers'];
  /** The address of the caller, if known; behind proxies as `trustProxy` says. */
  readonly remoteAddress: string | undefined;
}

/**
 * Lets a caller in: gives who that is, which contexts get as `identity`, or nothing for whoever is not let in. An error
 * of your own with status 401 or 403 says why.
 */
export type Authorize = (request: AuthorizeRequest) => unknown;

/** The place where callers get tokens, for clients that sign their users in (RFC 9728). */
export interface ResourceMetadata {
  /** The address of the endpoint as callers know it, which tokens must be for: `https://api.example.org/mcp`. */
  readonly resource: string;
  /** The servers that give tokens: `['https://login.example.org']`. */
  readonly authorizationServers: readonly string[];
  /** The scopes that tokens may have. */
  readonly scopes?: readonly string[] | undefined;
  /** A name for people. */
  readonly name?: string | undefined;
  /** An address with documentation for people. */
  readonly documentation?: string | undefined;
}

/** A caller who is let in, or the response for one who is not. */
export type Authorized =
  | { readonly ok: true; readonly identity: unknown }
  | { readonly ok: false; readonly status: number; readonly message: string; readonly challenge: string | undefined };

/** Asks the application whether a caller is let in. `onFault` is told of what is thrown and says nothing to callers. */
export async function authorizeCaller(
  caller: Omit<AuthorizeRequest, 'token'>,
  { authorize, resourceMetadata: metadata }: AuthorizeOptions,
  onFault: (error: unknown) => void,
): Promise<Authorized> {
  const [, token] = /^Bearer +(\S+) *$/i.exec(caller.headers.authorization ?? '') ?? [];
  const refuse = (status: number, message: string): Authorized => {
    const error = status === 403 ? 'insufficient_scope' : token && 'invalid_token';
    const isTold = status === 401 || status === 403;
    return { ok: false, status, message, challenge: isTold ? toChallenge(error, metadata) : undefined };
  };
  try {
    const identity: unknown = await authorize?.({ ...caller, token });
    const isIn = identity !== undefined && identity !== null && identity !== false;
    if (isIn || authorize === undefined) return { ok: true, identity };
    return refuse(401, token === undefined ? 'A bearer token is needed.' : 'The bearer token is not accepted.');
  } catch (error) {
    const { status, message, unexpected } = toFailure(error);
    if (unexpected === true) onFault(error);
    return refuse(status, message);
  }
}

export interface AuthorizeOptions {
  readonly authorize?: Authorize | undefined;
  readonly resourceMetadata?: ResourceMetadata | undefined;
}

function toChallenge(error: string | undefined, metadata: ResourceMetadata | undefined): string {
  const facts = { error, scope: metadata?.scopes?.join(' '), resource_metadata: metadata && toMetadataUrl(metadata) };
  const said = Object.entries(facts).filter(([, value]) => value);
  return `Bearer ${said.map(([name, value]) => `${name}="${value}"`).join(', ')}`.trim();
}

const WELL_KNOWN = '/.well-known/oauth-protected-resource';

/** The path of the endpoint's own comes behind that of the document. */
function toMetadataUrl({ resource }: ResourceMetadata): string {
  const { origin, pathname } = new URL(resource);
  return origin + WELL_KNOWN + (pathname === '/' ? '' : pathname);
}

/** The document of RFC 9728 at a path: that of the endpoint, and that of its host, where some clients look. */
export function findMetadata(path: string, metadata: ResourceMetadata | undefined): string | undefined {
  if (metadata === undefined || ![WELL_KNOWN, new URL(toMetadataUrl(metadata)).pathname].includes(path))
    return undefined;
  return JSON.stringify({
    resource: metadata.resource,
    authorization_servers: metadata.authorizationServers,
    bearer_methods_supported: ['header'],
    scopes_supported: metadata.scopes,
    resource_name: metadata.name,
    resource_documentation: metadata.documentation,
  });
}
