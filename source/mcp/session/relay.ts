import type { OfferedList } from '../../../server-runtime/mcp/offers/to-offers.ts';
import { Conversation } from './conversation.ts';
import { isRequest, parseRpc, type RpcId, type RpcMessage, toIdKey, toRpcError, toRpcText } from './rpc-message.ts';
import type { SessionFront } from './session-front.ts';

/** A server that the conversation goes to: a process with one state of the project's code. */
export interface RelayServer {
  readonly send: (message: string) => void;
  /** Nothing more comes: it answers what it has, and is gone then. */
  readonly end: () => void;
}

export interface RelayOptions {
  /** Writes one message to the client. */
  readonly write: (message: string) => void;
  /** A message has come, and there is no server for it. */
  readonly onWanted: () => void;
}

/** A question of a server to the client. */
interface Asked {
  readonly server: RelayServer;
  readonly id: RpcId;
}

/**
 * One conversation with a client, and one server after another that leads it: each gets what comes from then on, and is told what was agreed on
 * before; the one before it answers what it has.
 */
export class Relay implements SessionFront {
  readonly #options: RelayOptions;
  readonly #conversation = new Conversation();
  readonly #servers = new Set<RelayServer>();
  #current: RelayServer | undefined;
  #waiting: string[] = [];
  #hasEnded = false;
  /** Requests of the client, by their ids, and who is to answer them. */
  readonly #unanswered = new Map<string, { readonly server: RelayServer; readonly id: RpcId }>();
  /** Questions of servers, by the ids that the client knows them by. */
  readonly #asked = new Map<RpcId, Asked>();
  #lastAsked = 0;

  constructor(options: RelayOptions) {
    this.#options = options;
  }

  /** Whether everything that the client asked has its answer, and nothing more comes. */
  get isOver(): boolean {
    return this.#hasEnded && this.#waiting.length === 0 && this.#servers.size === 0;
  }

  /** A message of the client. */
  receive(text: string): void {
    if (this.#current !== undefined) return this.#forward(text, this.#current);
    this.#waiting.push(text);
    this.#options.onWanted();
  }

  /** Nothing more comes from the client. */
  end(): void {
    this.#hasEnded = true;
    if (this.#waiting.length === 0) for (const server of this.#servers) server.end();
  }

  /** Leads the conversation on with this server. */
  use(server: RelayServer): void {
    const before = this.#current;
    this.#servers.add(server);
    for (const message of this.#conversation.toReplay()) server.send(toRpcText(message));
    this.#current = server;
    for (const text of this.#waiting.splice(0)) this.#forward(text, server);
    if (before !== undefined) this.#endWhenDone(before);
    if (this.#hasEnded) this.end();
  }

  /** A message of a server. */
  take(server: RelayServer, text: string): void {
    const message = parseRpc(text);
    if (message === undefined || this.#conversation.keepsBack(message)) return;
    if (isRequest(message)) return this.#ask(server, message);
    if (message.method === undefined && message.id !== undefined) return this.#answer(server, message.id, text);
    this.#options.write(text);
  }

  /** A server is gone; what it owes is answered in its place. */
  drop(server: RelayServer, reason: string): void {
    this.#servers.delete(server);
    if (this.#current === server) this.#current = undefined;
    for (const [key, { server: owner, id }] of this.#unanswered) {
      if (owner !== server) continue;
      this.#unanswered.delete(key);
      this.#options.write(toRpcError(id, reason));
    }
    for (const [id, { server: owner }] of this.#asked) if (owner === server) this.#withdraw(id);
  }

  /** No server can be started: what waits for one is answered with that. */
  refuse(reason: string): void {
    for (const text of this.#waiting.splice(0)) {
      const message = parseRpc(text);
      if (message !== undefined && isRequest(message)) this.#options.write(toRpcError(message.id, reason));
    }
    if (this.#hasEnded) this.end();
  }

  tellChange(lists: readonly OfferedList[]): void {
    for (const text of lists.flatMap((list) => this.#conversation.toChange(list))) this.#options.write(text);
  }

  log(text: string): void {
    for (const message of this.#conversation.toLogged(text)) this.#options.write(message);
  }

  #forward(text: string, server: RelayServer): void {
    const message = parseRpc(text);
    // What is not understood here is answered, or passed over, by the server.
    if (message === undefined) return server.send(text);
    if (isRequest(message)) {
      this.#conversation.note(message);
      if (!this.#conversation.isOpen(message.id)) this.#unanswered.set(toIdKey(message.id), { server, id: message.id });
      return server.send(text);
    }
    if (message.method === undefined) return this.#reply(message);
    if (message.method === 'notifications/cancelled') return this.#cancel(message, text);
    this.#conversation.note(message);
    server.send(text);
  }

  /** A cancelled request gets no answer. */
  #cancel(message: RpcMessage, text: string): void {
    this.#conversation.note(message);
    const key = toIdKey(message.params?.['requestId']);
    const server = this.#unanswered.get(key)?.server ?? this.#current;
    this.#unanswered.delete(key);
    server?.send(text);
    if (server !== undefined) this.#endWhenDone(server);
  }

  /** Two servers may ask under one id, so the client gets another. */
  #ask(server: RelayServer, message: RpcMessage & { readonly id: RpcId }): void {
    const id = ++this.#lastAsked;
    this.#asked.set(id, { server, id: message.id });
    this.#options.write(toRpcText({ ...message, id }));
  }

  #reply(message: RpcMessage): void {
    const asked = message.id === undefined ? undefined : this.#asked.get(message.id);
    if (asked === undefined) return;
    this.#asked.delete(message.id as RpcId);
    asked.server.send(toRpcText({ ...message, id: asked.id }));
  }

  #withdraw(requestId: RpcId): void {
    this.#asked.delete(requestId);
    this.#options.write(toRpcText({ method: 'notifications/cancelled', params: { requestId } }));
  }

  #answer(server: RelayServer, id: RpcId, text: string): void {
    const isLast = this.#conversation.isOpen(id) && server === this.#current;
    if (!isLast && this.#unanswered.get(toIdKey(id))?.server !== server) return;
    this.#unanswered.delete(toIdKey(id));
    this.#conversation.forget(id);
    this.#options.write(text);
    this.#endWhenDone(server);
  }

  /** Ends a server that another has taken the place of, once it owes nothing. */
  #endWhenDone(server: RelayServer): void {
    const owes = [...this.#unanswered.values()].some((each) => each.server === server);
    if (server !== this.#current && !owes) server.end();
  }
}
