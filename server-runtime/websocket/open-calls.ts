import { defaultErrors } from '../errors/define-error.ts';
import { failure } from '../errors/failure.ts';
import { openCall, runCall } from '../server/call.ts';
import type { Connection } from './connection.ts';
import type { CallId } from './message.ts';
import type { SocketCall } from './socket-call.ts';
import { leaves, toFaultText } from './wire.ts';

const { NotFound, TooManyRequests } = defaultErrors;

/** The calls of a connection: each from its message to its answer, and counted until its code has ended. */
export class OpenCalls {
  readonly #owner: Connection;
  /** The most calls that may run at a time. */
  readonly #limit: number;
  /** The calls that have no answer yet; those without an id by themselves. A connection may be idle from the first. */
  #unanswered: Map<CallId | SocketCall, SocketCall> | undefined;
  /** The number of running calls and streams. */
  #running = 0;
  /** The number of calls so far. */
  count = 0;

  constructor(owner: Connection, limit: number) {
    this.#owner = owner;
    this.#limit = limit;
  }

  get isEmpty(): boolean {
    return this.#unanswered === undefined || this.#unanswered.size === 0;
  }

  /** The open streams, whose guards run again from time to time. */
  get streams(): readonly SocketCall[] {
    return [...(this.#unanswered?.values() ?? [])].filter(({ stream }) => stream !== undefined);
  }

  find(id: CallId): SocketCall | undefined {
    return this.#unanswered?.get(id);
  }

  /** Runs a call, unless it is refused. */
  run(call: SocketCall): void {
    const owner = this.#owner;
    const { id, method } = call.message;
    this.count++;
    this.#unanswered ??= new Map();
    if (id !== undefined && this.#unanswered.has(id)) {
      const text = `The id ${JSON.stringify(id)} is that of an open call`;
      return owner.send(toFaultText(undefined, -32_600, text));
    }
    this.#unanswered.set(id ?? call, call);
    openCall(call);
    if (owner.isLeaving) return call.refuse(leaves);
    const operation = owner.app.registry.find(method);
    if (operation === undefined)
      return call.refuse(failure(NotFound, `There is no capability '${method}'.`));
    call.capability = operation.key;
    if (this.#running >= this.#limit)
      return call.refuse(
        failure(TooManyRequests, `At most ${this.#limit} calls may be open at a time`),
      );
    this.#running++;
    call.operation = operation;
    runCall(call, operation);
  }

  /** Whether the caller still waits for the answer of a call; from then on it does not. */
  answer(call: SocketCall): boolean {
    const name = call.message.id ?? call;
    return this.#unanswered?.get(name) === call && this.#unanswered.delete(name);
  }

  /** Called once the code of a call has ended. */
  forget(call: SocketCall): void {
    if (call.operation === undefined) return;
    call.operation = undefined;
    this.#running--;
  }

  /** Ends all of them, with nothing for their callers. Called once the connection is closed. */
  end(): void {
    for (const call of this.#unanswered?.values() ?? []) call.endWith('nothing');
    this.#unanswered = undefined;
  }
}
