import type { BuilderRequest } from '../capability/context.ts';
import type { MaybePromise } from '../errors/maybe-promise.ts';
import type { SharedCall } from '../execution/execute.ts';
import type { Application } from './application.ts';
import { Call, type CallPort } from './call.ts';
import { CallsUnderWay, type UnderWay } from './calls-under-way.ts';
import { joinHeaders, toHeadersByName } from './raw-headers.ts';
import type { CallParent } from './transport.ts';

interface ParentOptions {
  readonly transport: string;
  readonly headers: BuilderRequest['headers'];
  readonly remoteAddress: string | undefined;
  /** Fires when the caller leaves. */
  readonly signal: AbortSignal | undefined;
  /** That of the transport, which waits for it. */
  readonly owner: CallsUnderWay;
}

/**
 * What several calls of one caller are part of. They share its signal, request id, headers and context; each has
 * limits, resources, a timeout and idempotency keys of its own. Nothing runs in it: it ends when its owner calls `end`.
 */
export class ParentCall extends Call implements SharedCall, CallParent, UnderWay {
  readonly transport: string;
  readonly method = 'CALLS';
  readonly path = '';
  readonly url = '';
  readonly headers: BuilderRequest['headers'];
  readonly remoteAddress: string | undefined;
  readonly requestId: string;
  context: MaybePromise<object> | undefined = undefined;
  readonly children: CallsUnderWay;
  readonly #owner: CallsUnderWay;
  readonly #callerSignal: AbortSignal | undefined;
  #count = 0;
  #ending: Promise<void> | undefined = undefined;

  constructor(app: Application, options: ParentOptions) {
    super(app, noPort);
    this.transport = options.transport;
    this.headers = options.headers;
    this.remoteAddress = options.remoteAddress;
    this.requestId = app.toRequestId(options.headers['x-request-id']);
    this.#owner = options.owner;
    this.children = new CallsUnderWay({ isOpen: options.owner.isOpen });
    this.#callerSignal = options.signal;
    options.owner.add(this);
    if (this.#callerSignal?.aborted === true) this.cancel();
    else this.#callerSignal?.addEventListener('abort', this.cancel, { once: true });
  }

  /** The place of a child among the others, by which its idempotency key differs from theirs. */
  toPlace(place: string | undefined): string {
    return place ?? String(this.#count++);
  }

  addHeaders(headers: readonly string[]): void {
    this.addedHeaders = [...this.addedHeaders, ...headers];
  }

  get answerHeaders(): CallParent['answerHeaders'] {
    return toHeadersByName(joinHeaders(this.addedHeaders));
  }

  /** Ends the children, by their signals. */
  readonly cancel = (): void => {
    this.children.isOpen = false;
    this.leave(new DOMException('The call that this one is part of is over.', 'AbortError'));
  };

  end({ status = 200 }: { readonly status?: number | undefined } = {}): Promise<void> {
    this.#ending ??= this.#end(status);
    return this.#ending;
  }

  /** Children use what the context holds, also for a while after their signal has fired. */
  async #end(status: number): Promise<void> {
    this.#callerSignal?.removeEventListener('abort', this.cancel);
    if (this.children.size > 0) this.cancel();
    this.children.isOpen = false;
    this.close();
    this.reportAnswer(status);
    await this.children.whenNone();
    await this.release();
    this.#owner.delete(this);
  }
}

/** Nobody runs the parent itself. */
const noPort: CallPort<never> = {
  readInput: () => ({ ok: true, value: {} }),
  succeed: () => {},
  refuse: () => {},
};
