import type { OfferedList } from '../../../server-runtime/mcp/offers/to-offers.ts';
import { isRequest, type RpcId, type RpcMessage, toIdKey, toRpcText } from './rpc-message.ts';

const SUBSCRIPTION = 'io.modelcontextprotocol/subscriptionId';
/** The ids of requests that a server is asked anew; no client has such. */
const REPLAYED = 'capix:replayed:';

/** The things that a client said once and that hold from then on, so that a server which comes later can be told. */
export class Conversation {
  #initialize: RpcMessage | undefined;
  #initialized: RpcMessage | undefined;
  #setLevel: RpcMessage | undefined;
  /** Subscriptions of 2026-07-28, by their ids. */
  readonly #listens = new Map<string, RpcMessage & { readonly id: RpcId }>();
  readonly #acknowledged = new Set<string>();

  /** A message of the client that a server gets. */
  note(message: RpcMessage): void {
    switch (message.method ?? '') {
      case 'initialize':
        this.#initialize = message;
        return;
      case 'notifications/initialized':
        this.#initialized = message;
        return;
      case 'logging/setLevel':
        this.#setLevel = message;
        return;
      case 'subscriptions/listen':
        if (isRequest(message)) this.#listens.set(toIdKey(message.id), message);
        return;
      case 'notifications/cancelled':
        return this.forget(message.params?.['requestId']);
      default:
        return;
    }
  }

  /** A subscription is over. */
  forget(id: unknown): void {
    this.#listens.delete(toIdKey(id));
    this.#acknowledged.delete(toIdKey(id));
  }

  /** Whether a request is one that is not answered before the conversation ends. */
  isOpen(id: RpcId): boolean {
    return this.#listens.has(toIdKey(id));
  }

  /** The messages that make a new server one of this conversation. */
  toReplay(): readonly RpcMessage[] {
    const anew = (message: RpcMessage): RpcMessage => ({ ...message, id: `${REPLAYED}${message.method}` });
    return [
      ...(this.#initialize === undefined ? [] : [anew(this.#initialize)]),
      ...(this.#initialized === undefined ? [] : [this.#initialized]),
      ...(this.#setLevel === undefined ? [] : [anew(this.#setLevel)]),
      ...this.#listens.values(),
    ];
  }

  /** Whether a message of a server is kept from the client: an answer to what was said anew, or that it hears a subscription, too. */
  keepsBack({ id, method, params }: RpcMessage): boolean {
    if (method === undefined) return typeof id === 'string' && id.startsWith(REPLAYED);
    if (method !== 'notifications/subscriptions/acknowledged') return false;
    const key = toIdKey(Object(params?.['_meta'])[SUBSCRIPTION]);
    const wasAcknowledged = this.#acknowledged.has(key);
    this.#acknowledged.add(key);
    return wasAcknowledged;
  }

  /** Tells the client that a list has changed, in the way of its revision. */
  toChange(list: OfferedList): readonly string[] {
    const method = `notifications/${list}/list_changed`;
    if (this.#initialized !== undefined) return [toRpcText({ method })];
    return [...this.#listens.values()]
      .filter(({ params }) => Object(params?.['notifications'])[`${list}ListChanged`] === true)
      .map(({ id }) => toRpcText({ method, params: { _meta: { [SUBSCRIPTION]: id } } }));
  }

  /** An error in the client's log; nothing where it wants only what is worse, or knows no such log. */
  toLogged(text: string): readonly string[] {
    const level = this.#setLevel?.params?.['level'];
    const isUnwanted = typeof level === 'string' && ['critical', 'alert', 'emergency'].includes(level);
    if (this.#initialized === undefined || isUnwanted) return [];
    return [toRpcText({ method: 'notifications/message', params: { level: 'error', logger: 'capix', data: text } })];
  }
}
