import type { CheckedData } from '../capability/answer-step.ts';
import type { BuilderRequest, CallLog } from '../capability/context.ts';
import { queueOfFailure, type SuccessQueue } from '../capability/success-queue.ts';
import { readTraceparent, toTraceId } from '../capability/trace-parent.ts';
import { type Failure, type Outcome, readThrown, toTimeout } from '../errors/failure.ts';
import { isPromise, type MaybePromise } from '../errors/maybe-promise.ts';
import { LogOfCall } from '../execution/call-log.ts';
import { discardValue, type RunningCall, type SharedCall } from '../execution/execute.ts';
import type { Operation } from '../registry/compile-registry.ts';
import type { RunHere } from '../resources/async-context.ts';
import { createResources, type OwnedResources } from '../resources/resources.ts';
import type { Application } from './application.ts';

/**
 * One way in, and its handling of calls. One object serves all calls of a transport, so that a call makes no closures.
 */
export interface CallPort<in One extends Call = Call> {
  /** Gives the input as it was sent, or refuses it. Called once the guards have let the caller pass. */
  readInput(call: One): MaybePromise<Outcome>;
  /**
   * Gives the fields in which guards find the parameters that they read, as `readInput` gives them to the handler, or
   * refuses the call. Called only for such a guard, and before `readInput`. Without it, a call has no parameters.
   */
  readParams?(call: One): MaybePromise<Outcome>;
  /**
   * Answers with the value of the handler. Where it reads a stream to its end, it returns a promise, and the time of
   * the call runs until that fulfils. An error that it throws, or rejects with, is the failure of the call.
   */
  succeed(call: One, value: unknown): MaybePromise<void>;
  /** Answers with why the call failed. Must not throw. */
  refuse(call: One, reason: Failure): void;
}

/**
 * One call, whatever carries it: its facts, its resources, and the only ways in which it ends. Each way in derives a
 * class of its own from it, and `runCall` runs it. It ends once, by `succeed`, `fail` or `leave`, and no end of it
 * throws.
 */
export abstract class Call implements RunningCall {
  abstract readonly transport: string;
  abstract readonly method: string;
  abstract readonly path: string;
  abstract readonly url: string;
  abstract readonly headers: BuilderRequest['headers'];
  abstract readonly remoteAddress: string | undefined;
  abstract readonly requestId: string;
  readonly app: Application;
  readonly port: CallPort<never>;
  /** Called when its caller leaves: ends what is a part of it. A signal would be made for each call. */
  onLeave: (() => void) | undefined = undefined;
  /** Key of the capability, once it is found. */
  capability: string | undefined = undefined;
  /** The time that the call may take, milliseconds. */
  timeoutMs = 0;
  /** False once the call has its answer, or an answer would reach nobody. */
  isOpen = true;
  successQueue: SuccessQueue | undefined = undefined;
  runStream: RunHere | undefined = undefined;
  checked: CheckedData | undefined = undefined;
  held: OwnedResources | undefined = undefined;
  /** Whether the hooks know the status of its answer. */
  hasAnswer = false;
  /** The headers of the answer that steps have added, names and values in turn. */
  addedHeaders: readonly string[] = NONE;
  readonly startedAtMs: number;
  #timer: ReturnType<typeof setTimeout> | undefined = undefined;
  #abortReason: unknown = undefined;
  #logged: unknown = NOTHING;
  #controller: AbortController | undefined = undefined;
  #log: CallLog | undefined = undefined;
  #traceparent: string | undefined = undefined;

  constructor(app: Application, port: CallPort<never>) {
    this.app = app;
    this.port = port;
    this.startedAtMs = app.hooks.onResponse === undefined ? 0 : performance.now();
  }

  get parent(): SharedCall | undefined {
    return undefined;
  }

  /** The path as logs and spans may have it: without the secrets of its parameters. */
  get shownPath(): string {
    return this.path;
  }

  readInput(): MaybePromise<Outcome> {
    return (this.port as CallPort).readInput(this);
  }

  readParams(): MaybePromise<Outcome> {
    return (this.port as CallPort).readParams?.(this) ?? { ok: true, value: {} };
  }

  addHeader(name: string, value: string): void {
    this.addedHeaders = [...this.addedHeaders, name, value];
  }

  /** Fires when the call times out and when the caller leaves. It is made only when it is first read. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#abortReason !== undefined) this.#controller.abort(this.#abortReason);
    }
    return this.#controller.signal;
  }

  get log(): CallLog {
    this.#log ??= new LogOfCall(this.app.logger, this);
    return this.#log;
  }

  /** A tracer of the application sets it to the span of the call. */
  get traceparent(): string | undefined {
    return this.#traceparent ?? readTraceparent(this.headers['traceparent']);
  }
  set traceparent(value: string | undefined) {
    this.#traceparent = value;
  }

  get hasLeft(): boolean {
    return this.#abortReason !== undefined;
  }

  get resources(): OwnedResources {
    this.held ??= createResources(this.signal, (fault) => this.#reportRelease(fault));
    return this.held;
  }

  /** Starts the clock, once something is waited for: most calls have their answer in the same turn. */
  arm(): void {
    if (this.#timer !== undefined || !this.isOpen) return;
    this.#timer = setTimeout(() => this.#expire(), this.timeoutMs);
    // It does not keep the process alive. Runtimes without Node's timers give a number.
    (this.#timer as { readonly unref?: () => void }).unref?.();
  }

  /** Stops the clock: what comes now has a time of its own. */
  disarm(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** Ends the call with the value of its handler. A value that comes too late reaches nobody: a stream is ended. */
  succeed(value: unknown): void {
    if (!this.isOpen) {
      discardValue(value);
      return this.onEnd();
    }
    try {
      const answered = (this.port as CallPort).succeed(this, value);
      if (!isPromise(answered)) return this.#endAnswered();
      // The handler may have returned its stream in the same turn, before any clock was started.
      this.arm();
      answered.then(
        () => this.#endAnswered(),
        (thrown: unknown) => this.fail(this.app.toFailure(thrown)),
      );
    } catch (thrown) {
      this.fail(this.app.toFailure(thrown));
    }
  }

  /** Ends the call with the reason of its failure, once its resources are released. */
  fail(reason: Failure): void {
    this.successQueue ??= queueOfFailure;
    this.successQueue.fail();
    if (this.held === undefined) return this.#endFailed(reason);
    this.arm();
    void this.release().then(() => this.#endFailed(reason));
  }

  /** Fires the signal because the answer, or the rest of an answer that streams, would reach nobody any more. */
  leave(reason: Error): void {
    if (this.#abortReason !== undefined) return;
    this.close();
    this.#abortReason = reason;
    this.#controller?.abort(reason);
    this.onLeave?.();
  }

  /** The caller has left, which hooks learn of as 499 where there was no answer yet. */
  abandon(): void {
    this.leave(new DOMException('The caller closed the connection.', 'AbortError'));
    if (!this.hasAnswer) this.reportAnswer(CALLER_LEFT);
  }

  /** Called once all that the call runs has ended, which may be after its answer. */
  onEnd(): void {}

  /** Ends the time of the call with its answer. False when it had ended before: the answer comes too late. */
  close(): boolean {
    if (!this.isOpen) return false;
    this.isOpen = false;
    if (this.#timer !== undefined) clearTimeout(this.#timer);
    return true;
  }

  /** Answers with a failure, of which hooks and log learn first. */
  refuse(reason: Failure): void {
    this.close();
    this.report(reason);
    try {
      (this.port as CallPort).refuse(this, reason);
    } catch (fault) {
      this.logError('could not be answered', fault);
    }
  }

  /** Tells hooks and log of a failure that is about to be answered, or that came too late for that. */
  report(reason: Failure): void {
    const { app, capability } = this;
    const { cause: error } = reason;
    if (reason.unexpected === true && !this.hasThrown) this.logError('failed', error);
    app.hooks.onError?.({ request: this, capability, failure: reason, error });
  }

  /** Tells the hooks that the call has its answer. */
  reportAnswer(status: number): void {
    const { capability, startedAtMs } = this;
    this.hasAnswer = true;
    this.app.hooks.onResponse?.({
      request: this,
      capability,
      status,
      durationMs: performance.now() - startedAtMs,
    });
  }

  /** Releases the resources of the call. Never rejects: the errors are logged with the call. */
  async release(): Promise<void> {
    try {
      await this.held?.release();
    } catch (fault) {
      this.#reportRelease(fault);
    }
  }

  /** Logs an error that no caller can get any more, unless it is the reason of the signal. */
  reportLate(thrown: unknown): void {
    if (!this.#isOfSignal(thrown)) this.logError('failed after it had ended', thrown);
  }

  /** An error may end both a stream and the response that carries it: it is logged once. */
  logError(what: string, error: unknown): void {
    if (error === this.#logged) return;
    this.#logged = error;
    const { requestId, traceparent } = this;
    const trace = traceparent === undefined ? {} : { traceId: toTraceId(traceparent) };
    this.app.logger.error(`[capix] ${this.toText()} ${what}`, { requestId, ...trace, error });
  }

  /** Whether the answer goes to code that gets the thrown error itself, which then need not be in the log. */
  get hasThrown(): boolean {
    return false;
  }

  /** How the log names it. */
  toText(): string {
    return `${this.method} ${this.shownPath}`;
  }

  #expire(): void {
    const text = `The request took longer than ${this.timeoutMs} ms.`;
    this.leave(new DOMException(text, 'TimeoutError'));
    this.refuse(toTimeout(this.timeoutMs));
  }

  #endAnswered(): void {
    this.close();
    this.onEnd();
  }

  #endFailed(reason: Failure): void {
    if (this.close()) this.refuse(reason);
    else if (reason.unexpected === true) this.reportLate(reason.cause);
    this.onEnd();
  }

  /** A handler whose signal has fired throws the reason, or an error that a library made of it. */
  #isOfSignal(thrown: unknown): boolean {
    if (this.#abortReason === undefined) return false;
    // `signal.addEventListener('abort', reject)` rejects with the event.
    if (thrown instanceof Event && thrown.type === 'abort') return true;
    return thrown === this.#abortReason || readThrown(thrown).name === 'AbortError';
  }

  #reportRelease(fault: unknown): void {
    this.logError('could not release what it held', fault);
  }
}

/** Tells the hooks that a call has arrived. The way in then prepares it, by finding a route for example. */
export function openCall(call: Call): void {
  call.app.hooks.onRequest?.(call);
}

/**
 * Runs a call to its end: REST, fetch, MCP, jobs, `invoke` and transports of others enter here, and differ by their
 * `CallPort`. The deadline begins here, unless the way in has begun it to read a body. Never throws.
 */
export function runCall(call: Call, operation: Operation): void {
  const { app } = call;
  call.capability = operation.key;
  if (call.timeoutMs === 0) call.timeoutMs = operation.timeoutMs ?? app.timeoutMs;
  if (call.isOpen) app.execute(operation, call);
}

/** The status that nginx logs for callers that leave before their answer. It is never sent. */
const CALLER_LEFT = 499;
const NONE: readonly string[] = [];
/** No value that can be thrown. */
const NOTHING: unique symbol = Symbol('nothing');

/** Safe in a header and in a line of a log. */
const SANE = /^[\x21-\x7e]{1,128}$/;

/** Gives the caller's own id where it is sane, else one that is random for the server and counted within it. */
export function createRequestIds(): (header: string | string[] | undefined) => string {
  let prefix: string | undefined;
  let count = 0;
  return (header) => {
    if (typeof header === 'string' && SANE.test(header)) return header;
    // A new UUID is 7 % of a small request. Workers have no randomness while a module loads. An id is not a secret, and
    // the module that makes secrets takes 3 MiB.
    prefix ??= `${Math.random().toString(36).slice(2)}-`;
    return prefix + (count++).toString(36);
  };
}
