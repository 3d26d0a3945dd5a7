import type { BuilderRequest, CallRequest } from '../capability/context.ts';
import type { CapabilityAt, GroupTree, InputTo } from '../capability/group-tree.ts';
import { isReply, type Reply, toReplyData } from '../capability/reply.ts';
import { defaultErrors } from '../errors/define-error.ts';
import { MAX_TIMEOUT_MS } from '../errors/expect-options.ts';
import { type Failure, failure, type Outcome } from '../errors/failure.ts';
import { isPromise, type MaybePromise } from '../errors/maybe-promise.ts';
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
import type { CallsUnderWay, UnderWay } from './calls-under-way.ts';
import type { ParentCall } from './parent-call.ts';
import { joinHeaders, toHeadersByName, toRawHeaders } from './raw-headers.ts';
import type { TransportCall } from './transport.ts';

export type Invocation = Omit<TransportCall, 'remoteAddress' | 'parent'>;

/** What became of a call. */
export type CallResult = Outcome & CallFacts;

interface CallFacts {
  /** The id of the call in contexts and in the log. */
  readonly requestId: string;
  /** That of `reply(…)`, of a `Response`, or of the failure; else 200. */
  readonly status: number;
  /** Those of `reply(…)` or of the error, and what steps added. Names are in lower case; one sent twice is a list. */
  readonly headers: Reply['headers'];
}

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
type InvocationInput<One> = [Record<never, never>] extends [InputTo<One>]
  ? { readonly input?: InputTo<One> | undefined }
  : { readonly input: InputTo<One> };

/** The way by which a call came in, and its handling of input and answer. */
export interface InvokeOptions
  extends Partial<
    Pick<CallRequest, 'transport' | 'remoteAddress' | 'identity' | 'client' | 'caller' | 'group'>
  > {
  /** Whether the answer goes to code that gets the thrown error itself, which then need not be in the log. */
  readonly hasThrown?: boolean | undefined;
  /** What the call is part of. @default it is a call by itself, of which the hooks hear */
  readonly parent?: ParentCall | undefined;
  /** Waits for the call, and ends it where it does not end. While it takes none, the call is refused with 503. */
  readonly owner?: CallsUnderWay | undefined;
  /** Called once the handler has ended, which may be after the outcome. */
  readonly onEnd?: (() => void) | undefined;
  /** Takes an input that is safe already, once the guards have passed. @default refuses one that is nested too deep */
  readonly checkInput?: ((input: unknown) => MaybePromise<Outcome>) | undefined;
  /** Makes the answer of the handler's value. @default the value, bound to the call's time */
  readonly finish?: ((value: unknown, call: InvokedCall) => MaybePromise<unknown>) | undefined;
  /** The time of a call whose capability declares none, milliseconds. @default that of the application */
  readonly timeoutMs?: number | undefined;
}

/** Runs one capability through context, guards, validation and handler, and tells the hooks. Never rejects. */
export function invokeOperation(
  app: Application,
  invocation: Invocation,
  options: InvokeOptions = {},
): Promise<CallResult> {
  return new Promise((resolve) => {
    const call = new InvokedCall(app, invocation, options);
    call.onAnswer = resolve;
    if (call.parent === undefined) openCall(call);
    const { capability } = invocation;
    const refuse = (...reason: Parameters<typeof failure>): void => {
      call.refuse(failure(...reason));
      // No handler runs whose end would be waited for.
      call.onEnd();
    };
    if (options.owner?.isOpen === false) return refuse(defaultErrors.ServiceUnavailable);
    if (capability === '')
      return refuse(defaultErrors.BadRequest, 'Expected the key of a capability');
    const operation = app.registry.find(capability);
    if (operation === undefined)
      return refuse(defaultErrors.NotFound, `There is no capability '${capability}'.`);
    call.capability = operation.key;
    call.timeoutMs = operation.timeoutMs ?? options.timeoutMs ?? app.timeoutMs;
    call.watchCaller();
    if (call.isOpen) options.owner?.add(call);
    runCall(call, operation);
    call.keepAlive();
  });
}

/** Why a call has ended early. */
export const cancelled: Failure = failure(
  defaultErrors.ServiceUnavailable,
  'The call was cancelled',
);

/** A call without a route, as context builders and hooks see it; its path is the key that the caller named. */
export class InvokedCall extends Call implements UnderWay {
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
  readonly place: string | undefined;
  readonly group: object | undefined;
  status = 200;
  /** Those of `reply(…)`. */
  replyHeaders: Reply['headers'] | undefined = undefined;
  /** Called once, with the outcome of the call. */
  onAnswer: (result: CallResult) => void = () => {};
  readonly #callerSignal: AbortSignal | undefined;
  /** Deadlines do not keep a process alive; a call that is waited for must. */
  #alive: NodeJS.Timeout | undefined;
  /** The stream that the call returned: it outlives the time of the call, and its caller may leave it. */
  #stream: ItemSource | undefined;

  constructor(
    app: Application,
    { capability: path, headers = {}, input, signal, place }: Invocation,
    options: InvokeOptions,
  ) {
    super(app, invokePort as CallPort<never>);
    this.transport = options.transport ?? 'invoke';
    this.path = path;
    this.url = path;
    const { parent } = options;
    this.headers = parent?.headers ?? toLowerNames(headers);
    this.remoteAddress = options.remoteAddress;
    this.requestId = parent?.requestId ?? app.toRequestId(this.headers['x-request-id']);
    this.place = parent === undefined ? place : parent.toPlace(place);
    this.group = options.group;
    this.identity = options.identity;
    this.client = options.client;
    this.caller = options.caller;
    this.input = input;
    this.options = options;
    this.#callerSignal = joinSignals(signal, parent?.signal);
  }

  override get parent(): ParentCall | undefined {
    return this.options.parent;
  }

  override get hasThrown(): boolean {
    return this.options.hasThrown === true;
  }
  override toText(): string {
    return this.path;
  }
  override onEnd(): void {
    if (this.#stream === undefined) this.options.owner?.delete(this);
    this.options.onEnd?.();
  }
  /** What a child adds is in the answer of its parent. */
  override addHeader(name: string, value: string): void {
    super.addHeader(name, value);
    this.parent?.addHeader(name, value);
  }

  /** Keeps the process alive until there is an answer. Most calls of a small handler have it in the same turn. */
  keepAlive(): void {
    if (this.isOpen) this.#alive = setInterval(() => {}, 2 ** 30);
  }

  /** Ends the call when its caller leaves. */
  watchCaller(): void {
    if (this.#callerSignal?.aborted === true) this.cancel();
    else this.#callerSignal?.addEventListener('abort', this.cancel, { once: true });
  }

  /** Takes status and headers of a `reply(…)`, and the status of a `Response`, whose headers stay its own. */
  readHead(value: unknown): void {
    if (isResponse(value)) this.status = value.status;
    if (!isReply(value)) return;
    this.status = value.status ?? 200;
    this.replyHeaders = value.headers;
  }

  /**
   * The data of a value; a stream is bound to the caller, and ends when the caller leaves. `step` makes something of
   * each item.
   */
  toData(value: unknown, step?: (item: unknown) => unknown): unknown {
    const data = toReplyData(value);
    const { signal } = this;
    const onEnd = (_isWhole: boolean, fault?: unknown): void => {
      this.#unwatch();
      this.options.owner?.delete(this);
      if (fault !== undefined && !signal.aborted) this.report(this.app.toFailure(fault));
    };
    const onLeave = (): void => this.leave(new DOMException('The reader stopped.', 'AbortError'));
    const around = (source: ItemSource): ItemSource => {
      this.#stream = withHooks(source, { signal, step, onEnd, onLeave });
      return this.#stream;
    };
    return throughItems(data, around) ?? data;
  }

  /** Gives the outcome to the code that waits for the call. */
  answer(outcome: Outcome): void {
    clearInterval(this.#alive);
    if (this.#stream === undefined) this.#unwatch();
    const { requestId } = this;
    const status = outcome.ok ? this.status : outcome.failure.status;
    // Before the hooks hear of the answer: headers that are none end the call as a failure.
    const headers = toRawHeaders(
      Object.entries((outcome.ok ? this.replyHeaders : outcome.failure.headers) ?? {}),
    );
    this.parent?.addHeaders(headers);
    if (this.parent === undefined) this.reportAnswer(status);
    this.onAnswer({
      ...outcome,
      requestId,
      status,
      headers: toHeadersByName(joinHeaders(headers, this.addedHeaders)),
    });
  }

  #unwatch(): void {
    this.#callerSignal?.removeEventListener('abort', this.cancel);
  }

  /** Ends the call early. A caller in this process that has aborted still waits for the promise: it gives 503. */
  readonly cancel = (): void => {
    if (this.hasLeft) return;
    const isWaiting = this.isOpen;
    const reason = { ...cancelled, cause: this.#callerSignal?.reason as unknown };
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
  readParams: ({ input }) => ({ ok: true, value: input }),
  succeed: (call, value) => {
    call.readHead(value);
    const { finish } = call.options;
    if (finish === undefined) return call.answer({ ok: true, value: call.toData(value) });
    const made = finish(value, call);
    return isPromise(made) ? answerLater(call, made) : call.answer({ ok: true, value: made });
  },
  refuse: (call, reason) => call.answer({ ok: false, failure: reason }),
};

/** The time of the call runs while its answer is made, and may be over by then. */
async function answerLater(call: InvokedCall, making: PromiseLike<unknown>): Promise<void> {
  const value = await making;
  if (call.isOpen) call.answer({ ok: true, value });
}

export function toLowerNames(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
}

/** A child ends with its parent, and by its own signal where it has one. */
function joinSignals(
  own: AbortSignal | undefined,
  ofParent: AbortSignal | undefined,
): AbortSignal | undefined {
  if (own === undefined || ofParent === undefined) return own ?? ofParent;
  return AbortSignal.any([own, ofParent]);
}

/** Runs one attempt at a job. Fulfils when the handler has ended, also one that outlives its timeout. Never rejects. */
export async function invokeJob(app: Application, invocation: Invocation): Promise<Outcome> {
  let onEnd = (): void => {};
  const ended = new Promise<void>((resolve) => {
    onEnd = resolve;
  });
  const outcome = await invokeOperation(app, invocation, {
    transport: 'queue',
    hasThrown: true,
    timeoutMs: MAX_TIMEOUT_MS,
    finish: readToEnd,
    onEnd,
  });
  await ended;
  return outcome;
}

function readToEnd(value: unknown, call: InvokedCall): MaybePromise<void> {
  const source = findItemSource(toReplyData(value));
  return source && readItems(withHooks(source, { signal: call.signal, onEnd: source.end }));
}

async function readItems(items: ItemSource): Promise<void> {
  while ((await items.next()).done !== true);
}
