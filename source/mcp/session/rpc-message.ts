/** A message of the protocol, as far as it has to be understood to hand it on. */
export interface RpcMessage {
  readonly id?: RpcId;
  /** Missing in an answer. */
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

export type RpcId = string | number;

/** A request, a notification or an answer; undefined for text that is none of them. */
export function parseRpc(text: string): RpcMessage | undefined {
  try {
    const message = JSON.parse(text) as unknown;
    return typeof message === 'object' && message !== null && !Array.isArray(message) ? message : undefined;
  } catch {
    return undefined;
  }
}

export function isRequest(
  message: RpcMessage,
): message is RpcMessage & { readonly id: RpcId; readonly method: string } {
  return message.id !== undefined && message.method !== undefined;
}

/** One text for one id: 1 and "1" are two. */
export function toIdKey(id: unknown): string {
  return JSON.stringify(id) ?? '';
}

export function toRpcText(message: object): string {
  return JSON.stringify({ jsonrpc: '2.0', ...message });
}

/** The code of JSON-RPC for what is nobody's fault but the server's. */
const INTERNAL_ERROR = -32_603;

export function toRpcError(id: RpcId | null, message: string): string {
  return toRpcText({ id, error: { code: INTERNAL_ERROR, message } });
}
