import type { IncomingHttpHeaders } from 'node:http';
import type { CallerConnection } from '../../capability/context.ts';
import { defaultErrors } from '../../errors/define-error.ts';
import { failure } from '../../errors/failure.ts';
import {
  changeHeaders,
  findHeaderFault,
  toCallHeaders,
  toConnectionHeaders,
} from '../../http/sockets/call-headers.ts';
import { Flow, type FlowOwner } from '../../http/sockets/flow.ts';
import {
  type ConnectionEnd,
  type Leaving,
  leavingCodes,
  type SocketConnection,
} from '../../http/sockets/socket-connection.ts';
import type { OpenedSocket } from '../../http/sockets/socket-door.ts';
import type { Engine } from '../execution/engine.ts';
import { type ClientMessage, parseClientMessage } from './message.ts';
import { type OperationOwner, SocketOperation } from './socket-operation.ts';

export const GRAPHQL_PROTOCOL = 'graphql-transport-ws';

/** The most operations of a connection at a time. */
const MAX_OPERATIONS = 100;
/** The time that a client has to send `connection_init`, milliseconds. */
const INIT_MS = 10_000;
const flowLimits = { callsPerSecond: Number.POSITIVE_INFINITY, slowReaderMs: 60_000 };

/** Whether operations may begin. While it closes, no more begin; with the last result it is closed. */
type Phase = 'new' | 'open' | 'leaving' | 'closed';

/** A WebSocket of the protocol `graphql-transport-ws`: owns its operations until they have ended. */
export class GraphqlConnection
  implements SocketConnection, OperationOwner, FlowOwner<SocketOperation>
{
  readonly limits = flowLimits;
  readonly engine: Engine;
  readonly path: string;
  readonly remoteAddress: string | undefined;
  readonly facts: CallerConnection;
  /** The headers that each operation has: those of the upgrade, and what `connection_init` has brought. */
  headers: IncomingHttpHeaders;
  readonly #opened: OpenedSocket;
  readonly #flow: Flow<SocketOperation>;
  readonly #operations = new Map<string, SocketOperation>();
  #count = 0;
  readonly #init: NodeJS.Timeout;
  #phase: Phase = 'new';
  #leaving: Leaving | undefined;

  constructor(engine: Engine, opened: OpenedSocket) {
    const { webSocket, socket, request, remoteAddress, facts } = opened;
    this.engine = engine;
    this.#opened = opened;
    this.remoteAddress = remoteAddress;
    this.facts = facts;
    this.path = request.url?.split('?', 1)[0] ?? '';
    this.headers = toConnectionHeaders(request.headers);
    this.#flow = new Flow(webSocket, socket, this);
    const late = (): void => this.close(4408, 'Connection initialisation timeout');
    this.#init = setTimeout(late, INIT_MS);
    this.#init.unref();
  }

  send(message: string): void {
    this.#flow.send(message);
  }

  whenDrained(): Promise<void> | undefined {
    return this.#flow.whenDrained();
  }

  forget(operation: SocketOperation): void {
    if (this.#operations.get(operation.id) === operation) this.#operations.delete(operation.id);
    this.#leaveIfIdle();
  }

  beat(): void {
    this.#flow.beat();
  }

  /**
   * Ends subscriptions without a word, so that clients subscribe again elsewhere, and closes behind the last result.
   */
  leave(reason: Leaving): void {
    if (this.#phase === 'closed' || this.#leaving !== undefined) return;
    this.#leaving = reason;
    this.#phase = 'leaving';
    for (const operation of this.#operations.values())
      if (operation.isSubscription) operation.cancel();
    this.#leaveIfIdle();
  }

  close(code: number, reason: string): void {
    this.#flow.close(code, reason);
  }

  terminate(reason: string): void {
    this.#flow.terminate(reason);
  }

  /** Ends every operation. Called by the flow, once. */
  end(end: ConnectionEnd): void {
    this.#phase = 'closed';
    clearTimeout(this.#init);
    for (const operation of this.#operations.values()) operation.cancel();
    this.#opened.onClose(this);
    const { sent, received } = this.#flow;
    const carried = { calls: this.#count, received, sent };
    this.engine.app.onConnectionClosed?.({ connection: this.facts, ...end, ...carried });
  }

  /** Runs an operation that the flow lets begin. */
  run(operation: SocketOperation): void {
    void operation.run();
  }

  /** Takes a message from the flow. */
  hear(data: Buffer, isBinary: boolean): void {
    if (isBinary) return this.close(4400, 'Messages are texts');
    this.#take(parseClientMessage(data));
  }

  #take(message: ClientMessage): void {
    switch (message.type) {
      case 'connection_init':
        return this.#greet(message.params);
      case 'subscribe':
        return this.#begin(message.id, message.payload);
      case 'complete':
        return this.#complete(message.id);
      case 'ping':
        return this.send('{"type":"pong"}');
      case 'pong':
        return;
      case 'invalid':
        return this.close(4400, message.reason);
    }
  }

  /** The texts of `connection_init` are headers of the operations. */
  #greet(params: Readonly<Record<string, unknown>>): void {
    if (this.#phase === 'leaving') return;
    if (this.#phase === 'open') return this.close(4429, 'Too many initialisation requests');
    const { headers, ...others } = params;
    const entries = Object.entries({ ...others, ...Object(headers) } as object);
    const texts = entries.filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    );
    const sent = Object.fromEntries(texts);
    const fault = findHeaderFault(sent, { mayRemove: false, opened: this.headers });
    if (fault !== undefined) return this.close(4403, fault);
    this.headers = changeHeaders(this.headers, toCallHeaders(sent)) ?? this.headers;
    this.#phase = 'open';
    clearTimeout(this.#init);
    this.send('{"type":"connection_ack"}');
  }

  #begin(id: string, payload: unknown): void {
    if (this.#phase === 'new') return this.close(4401, 'Unauthorized');
    if (this.#operations.has(id)) return this.close(4409, `Subscriber for ${id} already exists`);
    const operation = new SocketOperation(this, id, payload);
    this.#count++;
    if (this.#phase === 'leaving') return operation.refuseWith(leaves);
    if (this.#operations.size >= MAX_OPERATIONS) return operation.refuseWith(tooMany);
    this.#operations.set(id, operation);
    this.#flow.take(operation);
  }

  #complete(id: string): void {
    const operation = this.#operations.get(id);
    if (operation === undefined) return;
    this.#operations.delete(id);
    operation.cancel();
    if (this.#flow.drop((each) => each === operation)) operation.close();
    this.#leaveIfIdle();
  }

  #leaveIfIdle(): void {
    if (this.#phase !== 'leaving' || this.#leaving === undefined) return;
    if (this.#operations.size === 0) this.close(leavingCodes[this.#leaving], this.#leaving);
  }
}

const { ServiceUnavailable, TooManyRequests } = defaultErrors;
const leaves = failure(ServiceUnavailable, 'The server takes no more operations');
const tooMany = failure(TooManyRequests, `At most ${MAX_OPERATIONS} operations run at a time`);
