import { randomBytes } from 'node:crypto';
import type { EndOfCall } from '../capability/after-success.ts';
import { createResources, type OwnedResources } from '../resources/resources.ts';

/**
 * The life of one request: it ends with its answer, at its deadline, or when the caller leaves. Its abort signal is
 * made only when somebody reads it.
 */
export class RequestScope {
  /** The time that the request may take, milliseconds. */
  readonly timeoutMs: number;
  readonly #onTimeout: () => void;
  #endsAtMs = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #open = true;
  #abortReason: unknown;
  #controller: AbortController | undefined;
  #resources: OwnedResources | undefined;

  constructor(timeoutMs: number, onTimeout: () => void) {
    this.timeoutMs = timeoutMs;
    this.#onTimeout = onTimeout;
  }

  /** Starts the clock, once something is waited for: most requests have their answer in the same turn. */
  arm(): void {
    if (this.#timer !== undefined || !this.#open) return;
    this.#endsAtMs = performance.now() + this.timeoutMs;
    this.#timer = setTimeout(() => this.#expire(), this.timeoutMs);
    // It does not keep the process alive. Runtimes without Node's timers give a number.
    (this.#timer as { readonly unref?: () => void }).unref?.();
  }

  /** False once the request has its answer, or nobody waits for one. */
  get open(): boolean {
    return this.#open;
  }

  /** The time that is left, milliseconds. */
  get leftMs(): number {
    if (this.#timer === undefined) return this.timeoutMs;
    return Math.max(0, Math.ceil(this.#endsAtMs - performance.now()));
  }

  /** Fires when the request times out and when the caller leaves. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#abortReason !== undefined) this.#controller.abort(this.#abortReason);
    }
    return this.#controller.signal;
  }

  /** Made when somebody asks for them. */
  get resources(): OwnedResources {
    return (this.#resources ??= createResources(this.signal));
  }

  /** The resources that somebody asked for. */
  get held(): OwnedResources | undefined {
    return this.#resources;
  }

  /** Ends it with its answer. False when it had ended before: the answer comes too late. */
  close(): boolean {
    if (!this.#open) return false;
    this.#open = false;
    if (this.#timer !== undefined) clearTimeout(this.#timer);
    return true;
  }

  /** Fires the signal because nobody waits any more: for the answer, or for the rest of an answer that streams. */
  abort(reason: Error): void {
    if (this.#abortReason !== undefined) return;
    this.close();
    this.#fire(reason);
  }

  #expire(): void {
    this.#open = false;
    this.#fire(new DOMException(`The request took longer than ${this.timeoutMs} ms.`, 'TimeoutError'));
    this.#onTimeout();
  }

  #fire(reason: unknown): void {
    this.#abortReason = reason;
    this.#controller?.abort(reason);
  }
}

/** Opens the scope of a request, with the timeout of its capability or that of all. */
export type OpenScope = (timeoutMs: number | undefined, onTimeout: () => void) => RequestScope;

export function createScopeOpener(defaultTimeoutMs: number): OpenScope {
  return (timeoutMs = defaultTimeoutMs, onTimeout) => new RequestScope(timeoutMs, onTimeout);
}

/** The parts of a request that belong to its call, whatever carries it. */
export class CallOfRequest {
  /** Key of the capability, once it is found. */
  capability: string | undefined = undefined;
  endOfCall: EndOfCall | undefined = undefined;
  /** Set with the capability. */
  scope: RequestScope | undefined = undefined;

  /** Without a capability, one that never fires; a new one each time, so that no listeners gather. */
  get signal(): AbortSignal {
    return this.scope?.signal ?? new AbortController().signal;
  }

  /** @throws Error where there is no call yet that could be over */
  get resources(): OwnedResources {
    if (this.scope === undefined)
      throw new Error('The resources of a request are there for the builder of its context.');
    return this.scope.resources;
  }
}

/** At most 128 visible ASCII characters: safe in a header and in a log line. */
const SANE = /^[\x21-\x7e]{1,128}$/;

/** The caller's own id where it is sane; undefined asks for a new one. */
export function findRequestId(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' && SANE.test(header) ? header : undefined;
}

/**
 * Makes ids such as `k3v9x0q1-1a`: random for the process, counted within it, because a random id for each request
 * costs 8 % of a small one. The random part is made with the first: Workers have no randomness where a server is
 * created, outside a request.
 */
export function createRequestIdMaker(): () => string {
  let prefix: string | undefined;
  let count = 0;
  return () => {
    prefix ??= `${randomBytes(8).toString('base64url')}-`;
    return prefix + (count++).toString(36);
  };
}
