import type { IncomingHttpHeaders } from 'node:http';
import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { CallerConnection } from '../capability/context.ts';
import type { Failure } from '../errors/failure.ts';
import { changeHeaders } from '../http/sockets/call-headers.ts';
import { Flow, type FlowOwner } from '../http/sockets/flow.ts';
import {
  type ConnectionEnd,
  type Leaving,
  leavingCodes,
  type SocketConnection,
} from '../http/sockets/socket-connection.ts';
import type { Upgrade } from '../http/sockets/upgrade-call.ts';
import { toInputPlan } from '../input/input-fields.ts';
import type { Operation } from '../registry/compile-registry.ts';
import type { Lens } from '../schema/lens.ts';
import type { Application } from '../server/application.ts';
import type { ConnectionGuards } from './connection-guards.ts';
import {
  type CallId,
  type HeadersMessage,
  type Message,
  parseMessage,
  type Refused,
} from './message.ts';
import { OpenCalls } from './open-calls.ts';
import type { WebSocketSettings } from './options.ts';
import { SocketCall } from './socket-call.ts';
import * as wire from './wire.ts';

/** A connection is closed when so many of its messages were not requests. */
const MAX_BROKEN = 20;
/** The time that a client has to send headers with which the guards let it in, milliseconds. */
const HELLO_MS = 10_000;

/**
 * Whether a connection takes calls. A connection that the guards refuse must begin with headers, with which the guards
 * run once more; its other messages wait. While it closes, new calls are refused; with its last answer it is closed.
 */
type Phase = 'refused' | 'asking guards' | 'open' | 'leaving' | 'closed';

export interface ConnectionParts {
  readonly app: Application;
  readonly settings: WebSocketSettings;
  readonly webSocket: WebSocket;
  readonly socket: Duplex;
  readonly facts: CallerConnection;
  readonly remoteAddress: string | undefined;
  /** Of the request that opened it. */
  readonly url: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly guards: ConnectionGuards;
  /** Why the guards of the connection refuse it with the headers that it has: it may send better ones. */
  readonly refusal: Failure | undefined;
  /** The plans by which texts of headers become values, of all connections. */
  readonly plans: WeakMap<Operation, Lens>;
  readonly onClose: (connection: Connection) => void;
}

/** A WebSocket: owns its calls from their messages to their answers, and its socket until that is closed. */
export class Connection implements SocketConnection, FlowOwner<SocketCall> {
  readonly format: wire.WireFormat;
  /** The headers that each call begins with. */
  headers: IncomingHttpHeaders;
  readonly #parts: ConnectionParts;
  readonly #flow: Flow<SocketCall>;
  readonly #calls: OpenCalls;
  #broken = 0;
  #phase: Phase;
  #leaving: Leaving | undefined;
  /** The messages that wait until the guards have let the connection in. */
  #early: Message[] | undefined;
  #idle: NodeJS.Timeout | undefined;
  #hello: NodeJS.Timeout | undefined;

  constructor(parts: ConnectionParts) {
    const { webSocket, socket, settings, refusal } = parts;
    this.#parts = parts;
    this.headers = parts.headers;
    this.format = wire.formats[webSocket.protocol] ?? wire.plainFormat;
    this.#phase = refusal === undefined ? 'open' : 'refused';
    this.#calls = new OpenCalls(this, settings.limits.calls);
    this.#flow = new Flow(webSocket, socket, this);
    this.#watchIdle();
    if (refusal === undefined) return;
    this.#hello = setTimeout(() => {
      if (this.#phase === 'refused') this.closeFor(refusal);
    }, HELLO_MS);
    this.#hello.unref();
  }

  get app(): Application {
    return this.#parts.app;
  }
  get limits(): WebSocketSettings['limits'] {
    return this.#parts.settings.limits;
  }
  get facts(): CallerConnection {
    return this.#parts.facts;
  }
  get remoteAddress(): string | undefined {
    return this.#parts.remoteAddress;
  }

  /** The open streams, whose guards run again from time to time. */
  get streams(): readonly SocketCall[] {
    return this.#calls.streams;
  }

  get isLeaving(): boolean {
    return this.#phase === 'leaving';
  }

  /** The request that opened it, with the present headers: the guards run again with it. */
  toUpgrade(): Upgrade {
    const { url, socket, remoteAddress, facts } = this.#parts;
    return { url, socket, remoteAddress, headers: this.headers, connection: facts };
  }

  /** Runs the guards of its streams again from time to time. */
  watchStreams(): void {
    this.#parts.guards.watch(this);
  }

  send(text: string): void {
    this.#flow.send(text);
  }

  whenDrained(): Promise<void> | undefined {
    return this.#flow.whenDrained();
  }

  planOf(operation: Operation): Lens {
    const { plans } = this.#parts;
    const plan = plans.get(operation) ?? toInputPlan(operation.definition.schema);
    plans.set(operation, plan);
    return plan;
  }

  /** The error of a call. Its meta comes from the application, and JSON may not be able to hold it. */
  toFailureText(id: CallId, reason: Failure, { requestId }: SocketCall): string {
    try {
      return wire.toFailureText(id, reason, this.format);
    } catch (error) {
      const text = `[capix] The meta of ${reason.name} cannot be sent; it was left out.`;
      this.app.logger.error(text, { requestId, error });
      return wire.toFailureText(id, { ...reason, meta: undefined }, this.format);
    }
  }

  /** Sends the answer of a call, which its caller waits for no more. */
  answer(call: SocketCall, text: string | undefined): void {
    if (!this.#calls.answer(call)) return;
    if (text !== undefined) this.send(text);
    this.#watchIdle();
    if (this.#phase === 'leaving') this.#leaveIfIdle();
  }

  /** Called once the code of a call has ended. */
  forget(call: SocketCall): void {
    this.#calls.forget(call);
  }

  /** Sends a ping, unless the client has not answered the last one: then the connection is dead. */
  beat(): void {
    this.#flow.beat();
  }

  /** Tells the client to go elsewhere, ends its streams, and closes once every call has its answer. */
  leave(reason: Leaving): void {
    if (this.#phase === 'closed' || this.#leaving !== undefined) return;
    this.#leaving = reason;
    this.#phase = 'leaving';
    this.#early = undefined;
    this.send(JSON.stringify({ jsonrpc: '2.0', method: '$/goaway', params: { reason } }));
    for (const call of this.streams) call.breakOff();
    this.#leaveIfIdle();
  }

  /** Gives the reason, and closes. Messages without an answer by then never run, or are ended. */
  close(code: number, reason: string): void {
    this.#flow.close(code, reason);
  }

  closeFor({ status, name, message }: Failure): void {
    this.close(4000 + status, `${name}: ${message}`);
  }

  terminate(reason: string): void {
    this.#flow.terminate(reason);
  }

  /** Ends every call. Called by the flow, once. */
  end(end: ConnectionEnd): void {
    this.#phase = 'closed';
    clearTimeout(this.#idle);
    clearTimeout(this.#hello);
    this.#calls.end();
    this.#parts.guards.forget(this);
    this.#parts.onClose(this);
    const { sent, received } = this.#flow;
    const carried = { calls: this.#calls.count, received, sent };
    this.app.onConnectionClosed?.({ connection: this.facts, ...end, ...carried });
  }

  /** Runs a call that the flow lets begin. */
  run(call: SocketCall): void {
    clearTimeout(this.#idle);
    this.#calls.run(call);
  }

  /** Takes a message from the flow. */
  hear(data: Buffer, isBinary: boolean): void {
    if (isBinary) return this.close(1003, 'Messages are texts');
    const message = parseMessage(data.toString(), this.#parts.headers);
    if (this.#phase === 'refused') void this.#askGuards(message);
    else if (this.#phase === 'asking guards') this.#wait(message);
    else this.#take(message);
  }

  #wait(message: Message): void {
    this.#early ??= [];
    this.#early.push(message);
  }

  /** The first message of a client that the guards refuse. */
  async #askGuards(message: Message): Promise<void> {
    const { guards, refusal } = this.#parts;
    if (message.kind !== 'headers') return refusal && this.closeFor(refusal);
    this.#phase = 'asking guards';
    this.#flow.isHeld = true;
    this.headers = changeHeaders(this.headers, message.changes) ?? this.headers;
    const reason = await guards.findRefusal(this);
    if (this.#phase !== 'asking guards') return;
    if (reason !== undefined) return this.closeFor(reason);
    this.#acknowledge(message.id);
    this.#goOn();
  }

  /** The guards have let the caller pass. The messages that waited run now, until the guards have to run again. */
  #goOn(): void {
    if (this.#phase === 'asking guards') this.#phase = 'open';
    while (this.#isTaking()) {
      const message = this.#early?.shift();
      if (message === undefined) break;
      this.#take(message);
    }
    this.#flow.isHeld = this.#isAsking();
  }

  #isAsking(): boolean {
    return this.#phase === 'asking guards';
  }

  #isTaking(): boolean {
    return this.#phase === 'open';
  }

  #take(message: Message): void {
    if (this.#phase === 'closed') return;
    switch (message.kind) {
      case 'call':
        // Where it waits, it has the headers of now, and not those of a later message.
        return this.#flow.take(new SocketCall(this, message));
      case 'cancel':
        return this.#cancel(message.id);
      case 'more':
        return this.#calls.find(message.id)?.stream?.addCredit(message.count);
      case 'headers':
        return this.#takeHeaders(message);
      case 'ping':
        return this.#acknowledge(message.id);
      case 'refused':
        return this.#refuse(message);
      case 'unknown':
        return;
      default:
        return message satisfies never;
    }
  }

  #refuse({ id, code, text, isBroken }: Refused): void {
    this.send(wire.toFaultText(id, code, text));
    if (isBroken) this.#broken++;
    if (this.#broken >= MAX_BROKEN) this.close(1008, 'Too many messages were not requests');
  }

  /** Calls have these headers from now on, and open streams must be allowed to go on with them. */
  #takeHeaders({ id, changes }: HeadersMessage): void {
    const changed = changeHeaders(this.headers, changes);
    if (changed === undefined)
      return this.send(wire.toFaultText(id, -32_600, 'The headers would be too many, or too long'));
    this.headers = changed;
    const { guards } = this.#parts;
    const isChange = Object.keys(changes).length > 0;
    if (!isChange || !this.#isTaking() || guards.findAll(this).length === 0)
      return this.#acknowledge(id);
    // Later messages wait, so that guards run once at a time.
    this.#phase = 'asking guards';
    this.#flow.isHeld = true;
    void guards.recheck(this).then(() => {
      this.#acknowledge(id);
      this.#goOn();
    });
  }

  #acknowledge(id: CallId | undefined): void {
    if (id !== undefined) this.send(wire.toResultText(id, 'null'));
  }

  #cancel(id: CallId): void {
    if (this.#flow.drop(({ message }) => message.id === id)) return;
    const call = this.#calls.find(id);
    if (call === undefined) return;
    // A stream reports it itself.
    call.endWith('nothing');
    this.answer(call, undefined);
  }

  #watchIdle(): void {
    const { idleMs } = this.limits;
    if (idleMs === 0 || !this.#calls.isEmpty || this.#phase === 'closed') return;
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => this.close(1001, 'Idle'), idleMs);
    this.#idle.unref();
  }

  #leaveIfIdle(): void {
    if (!this.#calls.isEmpty || this.#leaving === undefined) return;
    this.close(leavingCodes[this.#leaving], this.#leaving);
  }
}
