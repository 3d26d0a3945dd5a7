import { AsyncLocalStorage } from 'node:async_hooks';
import type { ContextRequest } from '../../server-runtime/capability/context.ts';
import type { RecordedCall } from './recorded-call.ts';

/** The calls that are looked at while they run. While there is none, recording costs nothing. */
export class RecordedCalls {
  /** Which call code runs for, to know whose lines it writes. It slows everything asynchronous down while it is in use. */
  readonly #running = new AsyncLocalStorage<RecordedCall>();
  readonly #under = new Set<RecordedCall>();
  readonly #byRequest = new Map<ContextRequest, RecordedCall>();
  readonly #named = new WeakSet<RecordedCall>();
  /** The call that the code runs for that asks. */
  get current(): RecordedCall | undefined {
    return this.#under.size === 0 ? undefined : this.#running.getStore();
  }

  /** Gives a server a call; it names its request in the code that runs for it, perhaps only when its host has read the body. */
  begin(call: RecordedCall, serve: () => boolean): boolean {
    this.#under.add(call);
    return this.#running.run(call, serve);
  }

  /** The request is that of the call that the code runs for that says so, unless that has one already. */
  name(request: ContextRequest): void {
    const call = this.current;
    if (call === undefined || this.#named.has(call)) return;
    this.#named.add(call);
    this.#byRequest.set(request, call);
  }

  find(request: ContextRequest): RecordedCall | undefined {
    return this.#byRequest.size === 0 ? undefined : this.#byRequest.get(request);
  }

  run(call: RecordedCall, work: () => void): void {
    this.#running.run(call, work);
  }

  end(call: RecordedCall): void {
    this.#under.delete(call);
    if (this.#under.size > 0) return;
    this.#byRequest.clear();
    this.#running.disable();
  }
}
