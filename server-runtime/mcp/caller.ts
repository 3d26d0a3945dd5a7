import type { AuthInfo, ClientCapabilities, ServerContext } from '@modelcontextprotocol/server';
import type { CallingClient } from '../capability/context.ts';
import type { Conversation } from './handlers.ts';

/** The facts about who sent a message. */
export interface Caller {
  readonly headers: Readonly<Record<string, string>>;
  readonly remoteAddress: string | undefined;
  /** The value that `authorize` gave. */
  readonly identity: unknown;
}

/** The facts of the connection, in the form that the SDK hands on with a message; `token` is the whole header. */
export function toAuthInfo(token: string, caller: Omit<Caller, 'headers'>): AuthInfo {
  return { token, clientId: '', scopes: [], extra: { ...caller } };
}

/** The sender of a message; without facts over streams. A key of the call itself replaces the header. */
export function callerOf({ http, mcpReq }: ServerContext): Caller {
  const { remoteAddress, identity } = (http?.authInfo?.extra ?? {}) as Partial<Caller>;
  const headers = Object.fromEntries(http?.req?.headers ?? []);
  const key = mcpReq._meta?.['idempotency-key'];
  if (typeof key === 'string') headers['idempotency-key'] = key;
  return { headers, remoteAddress, identity };
}

/** Fires when a call is cancelled, and when its caller has left. Over HTTP that is who closes the connection. */
export function toSignal({ mcpReq, http }: ServerContext, { left }: Pick<Conversation, 'left'>): AbortSignal {
  const signals = [mcpReq.signal, http?.req?.signal, left];
  return AbortSignal.any(signals.filter((signal) => signal !== undefined));
}

/** The program that calls: what it can be asked for, and its name. */
export interface Client {
  readonly capabilities: ClientCapabilities | undefined;
  readonly info: CallingClient | undefined;
  /** Whether the revision is 2026-07-28, in which clients say both with each request. */
  readonly isStateless: boolean;
}

export function clientOf([{ mcpReq }, conversation]: readonly [ServerContext, Conversation]): Client {
  const said = (mcpReq.envelope ?? {}) as Readonly<Record<string, object | undefined>>;
  const capabilities = said['io.modelcontextprotocol/clientCapabilities'];
  const info = said['io.modelcontextprotocol/clientInfo'] as CallingClient | undefined;
  return {
    capabilities: capabilities ?? conversation.getClientCapabilities(),
    info: info ?? conversation.getClientVersion(),
    isStateless: capabilities !== undefined,
  };
}
