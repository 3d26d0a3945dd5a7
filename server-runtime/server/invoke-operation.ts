import type { BuilderRequest, CallRequest } from '../capability/context.ts';
import type { CapabilityAt, GroupTree, InputTo } from '../capability/group-tree.ts';
import { isReply, toReplyData } from '../capability/reply.ts';
import { defaultErrors } from '../errors/define-error.ts';
import { MAX_TIMEOUT_MS } from '../errors/expect-options.ts';
import { failure, type Outcome } from '../errors/failure.ts';
import type { MaybePromise } from '../errors/maybe-promise.ts';
import { toSafeInput } from '../input/safe-input.ts';
import {
  findItemSource,
  type ItemSource,
  isResponse,
  throughItems,
  withHooks,
} from '../resources/item-source.ts';
import type { Application } from './application.ts';
import { Call, type CallPort, openCall, runCall } from './call.ts';
import type { TransportCall } from './transport.ts';

export type Invocation = Omit<TransportCall, 'remoteAddress'>;

export type InvocationOf<Tree extends GroupTree, Key extends string> = Pick<
  TransportCall,
  'headers' | 'signal'
> & {
  readonly capability: Key;
} & InvocationInput<CapabilityAt<Tree, Key>>;

/**
 * The input of a capability; it may be left out where `{}` fits. The type is not distributive, which would compute all
 * inputs.
 */
export type InvocationInput<One> = [Record<never, never>] extends [InputTo<One>]
  ? { readonly input?: InputTo<One> | undefined }
  : { readonly input: InputTo<One> };

/** The way by which a call came in, and its handling of input and answer. */
export interface InvokeOptions
  extends Partial<
    Pick<CallRequest, 'transport' | 'remoteAddress' | 'identity' | 'client' | 'caller'>
  > {
  /** Whether the answer goes to code that gets the thrown error itself, which then need not be in the log. */
  readonly hasThrown?: boolean | undefined;
  /** Called once the handler has ended, which may be after the outcome. */
  readonly onEnd?: (() => void) | undefined;
  /** Takes an input that is safe already, once the guards have passed. @default refuses one that is nested too deep */
  readonly checkInput?: ((input: unknown) => MaybePromise<Outcome>) | undefined;
  /** Makes the answer of the handler's value until the signal fires. @default the value, bound to the call's time */
  readonly finish?: ((value: unknown, signal: AbortSignal) => MaybePromise<unknown>) | undefined;
}

/** Runs one capability through context, guards, validation and handler, and tells the hooks. Never rejects. */
export function invokeOperation(
  app: Application,
  invocation: Invocation,
  options: InvokeOptions = {},
): Promise<Outcome> {
  return new Promise((resolve) => {
    const call = new InvokedCall(app, invocation, options);
    call.onAnswer = resolve;
    openCall(call);
    const operation = app.registry.find(invocation.capability);
    if (operation === undefined) {
      const text = `There is no capability '${invocation.capability}'.`;
      return call.refuse(failure(defaultErrors.NotFound, text));
    }
    call.capability = operation.key;
    call.watchCaller();
    runCall(call, operation);
  });
}

/** A call without a route, as context builders and hooks see it; its path is the key that the caller named. */
export class InvokedCall extends Call {
  readonly method = 'INVOKE';
  readonly transport: string;
  readonly path: string;
  readonly url: string;
  readonly headers: BuilderRequest['headers'];
  readonly remoteAddress: string | undefined;
  readonly requestId: string;
  readonly identity: unknown;
  readonly client: CallRequest['client'];
  readonly caller: CallRequest['caller'];
  readonly input: unknown;
  readonly options: InvokeOptions;
  status = 200;
  /** Called once, with the outcome of the call. */
  onAnswer: (outcome: Outcome) => void = () => {};
  readonly #callerSignal: AbortSignal | undefined;
  /** Deadlines do not keep a process alive; a call that is waited for must. */
  #alive: NodeJS.Timeout | undefined;
  /** The stream that the call returned: it outlives the time of the call, and its caller may leave it. */
  #stream: ItemSource | undefined;

  constructor(
    app: Application,
    { capability: path, headers = {}, input, signal }: Invocation,
    options: InvokeOptions,
  ) {
    super(app, invokePort as CallPort<never>);
    this.transport = options.transport ?? 'invoke';
    this.path = path;
    this.url = path;
    this.headers = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
    );
    this.remoteAddress = options.remoteAddress;
    this.requestId = app.toRequestId(this.headers['x-request-id']);
    this.identity = options.identity;
    this.client = options.client;
    this.caller = options.caller;
    this.input = input;
    this.options = options;
    this.#callerSignal = signal;
  }

  override get hasThrown(): boolean {
    return this.options.hasThrown === true;
  }
  override toText(): string {
    return this.path;
  }
  override onEnd(): void {
    this.options.onEnd?.();
  }

  /** Keeps the process alive until there is an answer, and ends the call when its caller leaves. */
  watchCaller(): void {
    this.#alive = setInterval(() => {}, 2 ** 30);
    if (this.#callerSignal?.aborted === true) this.#leave();
    else this.#callerSignal?.addEventListener('abort', this.#leave, { once: true });
  }

  /** The data of a value; a stream ends when its caller leaves. */
  toData(value: unknown): unknown {
    const data = toReplyData(value);
    const { signal } = this;
    const onEnd = (_isWhole: boolean, fault?: unknown): void => {
      this.#unwatch();
      if (fault !== undefined && !signal.aborted) this.report(this.app.toFailure(fault));
    };
    const around = (source: ItemSource): ItemSource => {
      this.#stream = withHooks(source, { signal, onEnd });
      return this.#stream;
    };
    return throughItems(data, around) ?? data;
  }

  /** Gives the outcome to the code that waits for the call. */
  answer(outcome: Outcome): void {
    clearInterval(this.#alive);
    if (this.#stream === undefined) this.#unwatch();
    this.reportAnswer(outcome.ok ? this.status : outcome.failure.status);
    this.onAnswer(outcome);
  }

  #unwatch(): void {
    this.#callerSignal?.removeEventListener('abort', this.#leave);
  }

  /** A caller in this process that has aborted still waits for the promise: it rejects with 503. */
  readonly #leave = (): void => {
    const isWaiting = this.isOpen;
    const reason = {
      ...failure(defaultErrors.ServiceUnavailable, 'The call was cancelled'),
      cause: this.#callerSignal?.reason as unknown,
    };
    this.leave(new DOMException('The caller left.', 'AbortError'));
    void this.#stream?.end();
    if (isWaiting) this.refuse(reason);
    else this.report(reason);
  };
}

/** Calls from inside the process, and those that are answered as a whole: their answer is the outcome of a promise. */
const invokePort: CallPort<InvokedCall> = {
  readInput: ({ input, options: { checkInput } }) =>
    checkInput === undefined ? toSafeInput(input ?? {}) : checkInput(input),
  succeed: (call, value) => {
    call.status = (isReply(value) || isResponse(value) ? value.status : undefined) ?? 200;
    const { finish } = call.options;
    return finish === undefined
      ? call.answer({ ok: true, value: call.toData(value) })
      : answerLater(call, finish(value, call.signal));
  },
  refuse: (call, reason) => call.answer({ ok: false, failure: reason }),
};

/** The time of the call runs while its answer is made, and may be over by then. */
async function answerLater(call: InvokedCall, making: MaybePromise<unknown>): Promise<void> {
  const value = await making;
  if (call.isOpen) call.answer({ ok: true, value });
}

/** Runs one attempt at a job. Fulfils when the handler has ended, also one that outlives its timeout. Never rejects. */
export async function invokeJob(app: Application, invocation: Invocation): Promise<Outcome> {
  let onEnd = (): void => {};
  const ended = new Promise<void>((resolve) => {
    onEnd = resolve;
  });
  const patient = { ...app, timeoutMs: MAX_TIMEOUT_MS };
  const outcome = await invokeOperation(patient, invocation, {
    transport: 'queue',
    hasThrown: true,
    finish: readToEnd,
    onEnd,
  });
  await ended;
  return outcome;
}

async function readToEnd(value: unknown, signal: AbortSignal): Promise<void> {
  const source = findItemSource(toReplyData(value));
  const items = source && withHooks(source, { signal, onEnd: source.end });
  while (items !== undefined && (await items.next()).done !== true);
}
