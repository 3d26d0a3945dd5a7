import { createDeadlines } from '../deadline/create-deadlines.ts';
import type { Deadline, Deadlines } from '../deadline/deadline-list.ts';
import { createResources, type OwnedResources } from '../resources/resources.ts';

/**
 * The life of one request: it ends with its answer, at its deadline, or when the caller leaves. Its abort signal is made
 * only when somebody reads it.
 */
export class RequestScope implements Deadline {
  dueAt = 0;
  previous: Deadline | undefined = undefined;
  next: Deadline | undefined = undefined;
  readonly #deadlines: Deadlines;
  readonly #onTimeout: () => void;
  #open = true;
  #abortReason: unknown;
  #controller: AbortController | undefined;
  #resources: OwnedResources | undefined;

  constructor(deadlines: Deadlines, onTimeout: () => void) {
    this.#deadlines = deadlines;
    this.#onTimeout = onTimeout;
    deadlines.add(this);
  }

  /** False once the request has its answer, or nobody waits for one. */
  get open(): boolean {
    return this.#open;
  }

  /** The time that the request may take, milliseconds. */
  get timeoutMs(): number {
    return this.#deadlines.timeoutMs;
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
    this.#resources ??= createResources(this.signal);
    return this.#resources;
  }

  /** The resources that somebody asked for. */
  get held(): OwnedResources | undefined {
    return this.#resources;
  }

  /** Ends it with its answer. False when it had ended before: the answer comes too late. */
  close(): boolean {
    if (!this.#open) return false;
    this.#open = false;
    this.#deadlines.remove(this);
    return true;
  }

  /** Fires the signal because nobody waits any more: for the answer, or for the rest of an answer that streams. */
  abort(reason: Error): void {
    if (this.#abortReason !== undefined) return;
    this.close();
    this.#fire(reason);
  }

  expire(): void {
    this.#open = false;
    this.#fire(new DOMException(`The request took longer than ${this.#deadlines.timeoutMs} ms.`, 'TimeoutError'));
    this.#onTimeout();
  }

  #fire(reason: unknown): void {
    this.#abortReason = reason;
    this.#controller?.abort(reason);
  }
}

/** @throws Error where there is no request yet that could be over */
export function resourcesOf(scope: RequestScope | undefined): OwnedResources {
  if (scope === undefined) throw new Error('The resources of a request are there for the builder of its context.');
  return scope.resources;
}

/** One list for each timeout in use. */
export function createScopeOpener(
  defaultTimeoutMs: number,
): (timeoutMs: number | undefined, onTimeout: () => void) => RequestScope {
  const lists = new Map<number, Deadlines>();
  const standard = listFor(defaultTimeoutMs);
  function listFor(timeoutMs: number): Deadlines {
    const list = lists.get(timeoutMs) ?? createDeadlines(timeoutMs);
    lists.set(timeoutMs, list);
    return list;
  }
  return (timeoutMs, onTimeout) => new RequestScope(timeoutMs === undefined ? standard : listFor(timeoutMs), onTimeout);
}
