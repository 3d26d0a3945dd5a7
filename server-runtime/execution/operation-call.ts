import { randomBytes } from 'node:crypto';
import type { EndOfCall } from '../capability/after-success.ts';
import type { CheckedData } from '../capability/answer-step.ts';
import type { RunHere } from '../capability/context.ts';
import type { MaybePromise, Outcome } from '../errors/failure.ts';
import { createResources, type OwnedResources } from '../resources/resources.ts';

/** One call, whatever carries it. It ends with its answer, at its deadline, or when the caller leaves. */
export class OperationCall {
  /** Key of the capability, once it is found. */
  capability: string | undefined = undefined;
  endOfCall: EndOfCall | undefined = undefined;
  /** The data of the handler, with what its schema made of it, until the answer is made of both. */
  checked: CheckedData | undefined = undefined;
  /** The time that the call may take, milliseconds. */
  timeoutMs = 0;
  /** False once the call has its answer, or nobody waits for one. */
  isOpen = true;
  /** Makes what the caller gets of the handler's value, while the time of the call runs: reads a stream to its end. */
  finish: ((value: unknown) => MaybePromise<unknown>) | undefined = undefined;
  /** Told when all that the call ran has ended, which may be after its answer. */
  onEnd: (() => void) | undefined = undefined;
  /** Called with what fails at the end of the call, when nobody is left to be answered. */
  onFault: ((call: OperationCall, fault: unknown) => void) | undefined = undefined;
  /** Runs what makes the items of a stream where its handler ran. */
  runStream: RunHere | undefined = undefined;
  /** The resources that somebody asked for. */
  held: OwnedResources | undefined = undefined;
  #timer: ReturnType<typeof setTimeout> | undefined = undefined;
  #abortReason: unknown = undefined;
  #controller: AbortController | undefined = undefined;

  readInput(): MaybePromise<Outcome> {
    return { ok: true, value: {} };
  }
  onTimeout(): void {}

  /** Starts the clock, once something is waited for: most calls have their answer in the same turn. */
  arm(): void {
    if (this.#timer !== undefined || !this.isOpen) return;
    this.#timer = setTimeout(() => {
      this.abort(
        new DOMException(`The request took longer than ${this.timeoutMs} ms.`, 'TimeoutError'),
      );
      this.onTimeout();
    }, this.timeoutMs);
    // It does not keep the process alive. Runtimes without Node's timers give a number.
    (this.#timer as { readonly unref?: () => void }).unref?.();
  }

  /** Fires when the call times out and when the caller leaves. It is made only when somebody reads it. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#abortReason !== undefined) this.#controller.abort(this.#abortReason);
    }
    return this.#controller.signal;
  }

  get resources(): OwnedResources {
    return (this.held ??= createResources(this.signal, (fault) => this.onFault?.(this, fault)));
  }

  /** Ends it with its answer. False when it had ended before: the answer comes too late. */
  close(): boolean {
    if (!this.isOpen) return false;
    this.isOpen = false;
    if (this.#timer !== undefined) clearTimeout(this.#timer);
    return true;
  }

  /** Fires the signal because nobody waits any more: for the answer, or for the rest of an answer that streams. */
  abort(reason: Error): void {
    if (this.#abortReason !== undefined) return;
    this.close();
    this.#abortReason = reason;
    this.#controller?.abort(reason);
  }
}

/** Safe in a header and in a line of a log. */
const SANE = /^[\x21-\x7e]{1,128}$/;

let prefix: string | undefined;
let count = 0;

/** The caller's own id where it is sane, else one that is random for the process and counted within it. */
export function toRequestId(header?: string | string[]): string {
  if (typeof header === 'string' && SANE.test(header)) return header;
  // A new UUID is 7 % of a small request. Workers have no randomness while a module loads.
  prefix ??= `${randomBytes(8).toString('base64url')}-`;
  return prefix + (count++).toString(36);
}
