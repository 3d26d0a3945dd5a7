import type { ClosedConnection } from '../../server/application.ts';

/** A WebSocket that a door owns until it is closed. */
export interface SocketConnection {
  readonly remoteAddress: string | undefined;
  /** Takes no more calls, and closes once those under way have their answers. */
  leave(reason: Leaving): void;
  /** Gives the reason, and closes. */
  close(code: number, reason: string): void;
  /** Ends it without a close frame, which the client may never read. */
  terminate(reason: string): void;
  /** Sends a ping, unless the client has not answered the last one: then it is dead. */
  beat(): void;
}

/** Which side ended a connection, and why. */
export type ConnectionEnd = Pick<ClosedConnection, 'by' | 'code' | 'reason'>;

/** The reason for which a server leaves its connections: it stops, or newer code has taken its place. */
export type Leaving = 'stop' | 'reload';
export const leavingCodes = { stop: 1001, reload: 1012 } as const;

/** The text of a close frame, which has 123 bytes. */
export function toCloseReason(text: string): string {
  let reason = text;
  while (Buffer.byteLength(reason) > 123) reason = reason.slice(0, -1);
  return reason;
}

/** The code with which ws closes a connection whose frames it cannot read. */
export function toFaultCode({ code = '' }: Error & { readonly code?: string }): number {
  if (code === 'WS_ERR_INVALID_UTF8') return 1007;
  if (code === 'WS_ERR_TOO_MANY_BUFFERED_PARTS') return 1008;
  if (code.includes('_LENGTH') && !code.includes('CONTROL')) return 1009;
  return code.startsWith('WS_ERR_') ? 1002 : 1006;
}
