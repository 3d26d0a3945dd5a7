import type { AuthInfo, ClientCapabilities, Server, ServerContext } from '@modelcontextprotocol/server';
import type { CallingClient } from '../capability/context.ts';
import type { Conversation } from './handlers.ts';

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

/** The sender of a message; without facts over streams. A key of the call itself replaces the header. */
export function callerOf({ http, mcpReq }: ServerContext): Caller {
  const { remoteAddress, identity } = (http?.authInfo?.extra ?? {}) as Partial<Caller>;
  const headers = Object.fromEntries(http?.req?.headers ?? []);
  const key = mcpReq._meta?.['idempotency-key'];
  return {
    headers: typeof key === 'string' ? { ...headers, 'idempotency-key': key } : headers,
    remoteAddress,
    identity,
  };
}

/** Fires when a call is cancelled, and when its caller has left. Over HTTP that is who closes the connection. */
export function toSignal({ mcpReq, http }: ServerContext, { left }: Pick<Conversation, 'left'>): AbortSignal {
  const signals = [mcpReq.signal, http?.req?.signal, left];
  return AbortSignal.any(signals.filter((signal) => signal !== undefined));
}

/** The client as it has said of itself when a session began. */
export type SessionClient = Pick<Server, 'getClientCapabilities' | 'getClientVersion'>;

/** The program that calls: what it can be asked for, and its name. */
export interface Client {
  readonly capabilities: ClientCapabilities | undefined;
  readonly info: CallingClient | undefined;
  /** Whether the revision is 2026-07-28, in which clients say both with each request. */
  readonly isStateless: boolean;
}

export function clientOf({ mcpReq }: ServerContext, session: SessionClient): Client {
  const said = (mcpReq.envelope ?? {}) as Readonly<Record<string, object | undefined>>;
  const capabilities = said['io.modelcontextprotocol/clientCapabilities'];
  const info = said['io.modelcontextprotocol/clientInfo'] as CallingClient | undefined;
  return {
    capabilities: capabilities ?? session.getClientCapabilities(),
    info: info ?? session.getClientVersion(),
    isStateless: capabilities !== undefined,
  };
}
