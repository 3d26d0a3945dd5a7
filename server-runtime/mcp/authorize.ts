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

/** A caller who is let in, or the answer for one who is not. */
export type Authorized =
  | { readonly ok: true; readonly identity: unknown }
  | { readonly ok: false; readonly status: number; readonly message: string; readonly challenge: string | undefined };

/** The way in, over HTTP. */
export interface Gate {
  /** Asks the application whether a caller is let in. Never rejects. */
  readonly admit: (caller: Omit<AuthorizeRequest, 'token'>) => Promise<Authorized>;
  /** The document of RFC 9728 by its paths: of the endpoint, and of its host, where some clients look. */
  readonly documents: ReadonlyMap<string, string>;
}

/** `onFault` is told of what is thrown and says nothing to callers. */
export function createGate(
  authorize: Authorize | undefined,
  metadata: ResourceMetadata | undefined,
  onFault: (error: unknown) => void,
): Gate {
  const paths = metadata === undefined ? [] : [WELL_KNOWN, new URL(toMetadataUrl(metadata)).pathname];
  const documents = new Map(paths.map((path) => [path, toMetadataDocument(metadata as ResourceMetadata)]));
  if (authorize === undefined) return { admit: async () => ({ ok: true, identity: undefined }), documents };
  const admit: Gate['admit'] = async ({ headers, remoteAddress }) => {
    const [, token] = /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '') ?? [];
    const hint = token === undefined ? {} : { error: 'invalid_token' };
    try {
      const identity: unknown = await authorize({ token, headers, remoteAddress });
      if (identity !== undefined && identity !== null && identity !== false) return { ok: true, identity };
      const message = token === undefined ? 'A bearer token is needed.' : 'The bearer token is not accepted.';
      return { ok: false, status: 401, message, challenge: toChallenge(hint, metadata) };
    } catch (error) {
      const { status, message, unexpected } = toFailure(error);
      if (unexpected === true) onFault(error);
      const told = status === 403 ? { error: 'insufficient_scope' } : hint;
      const challenge = status === 401 || status === 403 ? toChallenge(told, metadata) : undefined;
      return { ok: false, status, message, challenge };
    }
  };
  return { admit, documents };
}

function toChallenge(hint: { readonly error?: string }, metadata: ResourceMetadata | undefined): string {
  const scope = metadata?.scopes?.join(' ');
  const parts = { ...hint, ...(scope && { scope }), ...(metadata && { resource_metadata: toMetadataUrl(metadata) }) };
  const text = Object.entries(parts).map(([name, value]) => `${name}="${value}"`);
  return `Bearer ${text.join(', ')}`.trim();
}

const WELL_KNOWN = '/.well-known/oauth-protected-resource';

/** The path of the endpoint's own comes behind that of the document. */
function toMetadataUrl({ resource }: ResourceMetadata): string {
  const { origin, pathname } = new URL(resource);
  return origin + WELL_KNOWN + (pathname === '/' ? '' : pathname);
}

function toMetadataDocument({ resource, authorizationServers, scopes, ...told }: ResourceMetadata): string {
  return JSON.stringify({
    resource,
    authorization_servers: authorizationServers,
    bearer_methods_supported: ['header'],
    scopes_supported: scopes,
    resource_name: told.name,
    resource_documentation: told.documentation,
  });
}
