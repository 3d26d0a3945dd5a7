import type { AuthInfo, ServerContext } from '@modelcontextprotocol/server';

/** The facts about who sent a message. */
export interface Caller {
  readonly headers: Readonly<Record<string, string>>;
  readonly remoteAddress: string | undefined;
  /** The caller as the application knows it: what `authorize` gave. */
  readonly identity: unknown;
}

/** Facts of the connection, in the form that the SDK hands on with a message. */
export function toAuthInfo(remoteAddress: string | undefined, identity: unknown): AuthInfo {
  return { token: '', clientId: '', scopes: [], extra: { remoteAddress, identity } };
}

/** The sender of a message; undefined over streams. A key of the call itself replaces the header. */
export function callerOf({ http }: ServerContext, idempotencyKey?: unknown): Caller {
  const { remoteAddress, identity } = (http?.authInfo?.extra ?? {}) as Partial<Caller>;
  const headers = Object.fromEntries(http?.req?.headers ?? []);
  return {
    headers: typeof idempotencyKey === 'string' ? { ...headers, 'idempotency-key': idempotencyKey } : headers,
    remoteAddress,
    identity,
  };
}
