import { releaseAfter } from '../capability/after-success.ts';
import {
  type BaseContext,
  type BuilderRequest,
  type CallLog,
  type CallRequest,
  type ContextBuilder,
  REQUEST,
} from '../capability/context.ts';
import { hasItems, toReplyData } from '../capability/reply.ts';
import { runCapability, toOutcome } from '../capability/run-capability.ts';
import { queueOfFailure, queueOfSuccess } from '../capability/success-queue.ts';
import { isFrameworkError } from '../errors/define-error.ts';
import { type Failure, type Outcome, toError, toFailure, toTimeout } from '../errors/failure.ts';
import { andThen, isPromise, type MaybePromise } from '../errors/maybe-promise.ts';
import type { Operation } from '../registry/compile-registry.ts';
import { rememberContext } from '../resources/async-context.ts';
import { findItemSource, waitAtMost } from '../resources/item-source.ts';
import type { OwnedResources } from '../resources/resources.ts';

/** What several calls are part of, such as a batch: its context is built once, for all of them. */
export interface SharedCall extends BuilderRequest, CallRequest {
  /** Set by the first call that needs it. */
  context: MaybePromise<object> | undefined;
}

/** A call while its steps run, as `server/call.ts` makes it. */
export interface RunningCall extends BuilderRequest, CallRequest {
  /** What it is part of; undefined for nearly every call. */
  readonly parent: SharedCall | undefined;
  /** Whether an answer would reach nobody any more: the caller has left, the time is over, or the server stops. */
  readonly hasLeft: boolean;
  /** The resources that the handler or the context builder has requested. The tool puts its own around them. */
  held: OwnedResources | undefined;
  /** The time that it may take, milliseconds. */
  readonly timeoutMs: number;
  /** Starts the clock of its deadline, once something is waited for. */
  arm(): void;
  readInput(): MaybePromise<Outcome>;
  /** Gives the fields in which guards find their parameters. */
  readParams(): MaybePromise<Outcome>;
  /** Ends it with the handler's value, after the work that waits for its success; a stream may end later. */
  succeed(value: unknown): void;
  /** Ends it with the reason of its failure, once its resources are released. */
  fail(reason: Failure): void;
  /** Logs an error that no caller can get any more, unless it is the reason of the signal. */
  reportLate(thrown: unknown): void;
  /** Releases its resources. Never rejects: the errors are logged with the call. */
  release(): Promise<void>;
}

/** Runs a call of an operation to its end. Never throws. */
type Execute = (operation: Operation, call: RunningCall) => void;

/** Lets running code find its call later, as `jobs.enqueue` does: the `AsyncLocalStorage` of a queue. */
export interface CallTracker {
  run<A, B>(
    call: RunningCall | undefined,
    step: (first: A, second: B) => void,
    first: A,
    second: B,
  ): void;
}

/**
 * Builds the context, runs the steps of the operation, and ends the call with the outcome. Only a server with a queue
 * has a tracker, which costs each call some time.
 */
export function createExecute(
  buildContext: BuildContext,
  toCallFailure: (thrown: unknown) => Failure,
  tracker: CallTracker | undefined,
): Execute {
  return (operation, call) => {
    if (tracker === undefined) run(operation, call);
    else tracker.run(call, run, operation, call);
  };

  function run(operation: Operation, call: RunningCall): void {
    try {
      const outcome = runSteps(operation, call);
      if (!isPromise(outcome)) return end(outcome, call);
      call.arm();
      outcome.then(
        (made) => end(made, call),
        (thrown: unknown) => endWith(thrown, call),
      );
    } catch (thrown) {
      endWith(thrown, call);
    }
  }

  function runSteps(operation: Operation, call: RunningCall): MaybePromise<Outcome> {
    const steps = operation.steps();
    const context =
      call.parent === undefined
        ? buildContext(call, steps.isEnhanced)
        : buildChildContext(call.parent, call, steps.isEnhanced);
    const ran = isPromise(context)
      ? context.then((ctx) => runCapability(steps, ctx, call))
      : runCapability(steps, context, call);
    return andThen(ran, completeCall, call);
  }

  function buildChildContext(
    parent: SharedCall,
    call: RunningCall,
    isEnhanced: boolean,
  ): MaybePromise<object> {
    parent.context ??= buildOnce(parent);
    return andThen(
      parent.context,
      (shared) => toChildContext(shared, call, isEnhanced) ?? buildContext(call, isEnhanced),
    );
  }

  /** Where it throws, it does so for every call of the parent. */
  function buildOnce(parent: SharedCall): MaybePromise<object> {
    try {
      return buildContext(parent, false);
    } catch (thrown) {
      return Promise.reject(thrown);
    }
  }

  function endWith(thrown: unknown, call: RunningCall): void {
    end({ ok: false, failure: toCallFailure(thrown) }, call);
  }

  /** The work of hooks is not part of the call: jobs that they add are added at once. */
  function end(outcome: Outcome, call: RunningCall): void {
    if (tracker === undefined) finish(outcome, call);
    else tracker.run(undefined, finish, outcome, call);
  }
}

function finish(outcome: Outcome, call: RunningCall): void {
  if (outcome.ok) call.succeed(outcome.value);
  else call.fail(outcome.failure);
}

/** Turns a thrown value into a failure, by `mapError` of the application where there is one. Never throws. */
export function createFailureRule(
  mapError: ((error: unknown) => Error | undefined) | undefined,
): (thrown: unknown) => Failure {
  if (mapError === undefined) return toFailure;
  return (thrown) => {
    if (isFrameworkError(thrown)) return toFailure(thrown);
    try {
      const mapped = mapError(thrown);
      return toFailure(isFrameworkError(mapped) ? mapped : thrown);
    } catch (fault) {
      const text = 'mapError threw an error over that of the call.';
      return toFailure(new AggregateError([thrown, fault], text));
    }
  };
}

/**
 * Does the work that waits for success, and releases the resources: before data, and after the last item of a stream.
 */
function completeCall(outcome: Outcome, call: RunningCall): MaybePromise<Outcome> {
  if (!outcome.ok) return outcome;
  if (call.successQueue === undefined && call.held === undefined && !hasItems(outcome.value)) {
    call.successQueue = queueOfSuccess;
    return outcome;
  }
  const isStream = hasItems(outcome.value);
  const release = (isWhole: boolean, fault?: unknown): Promise<void> => {
    const work = isWhole ? succeed(call) : giveUp(call, fault);
    return isStream && call.held !== undefined ? expectInTime(work, call) : work;
  };
  call.runStream ??= rememberContext();
  const onCloseFault = (fault: unknown): void => call.reportLate(fault);
  const around = { run: call.runStream, onCloseFault };
  return andThen(releaseAfter(outcome.value, release, around), toOutcome);
}

/** The end of a stream may take the time of a call: the clock of its own call has ended with the head of its answer. */
async function expectInTime(work: Promise<void>, call: RunningCall): Promise<void> {
  if (await waitAtMost(call.timeoutMs, work)) return;
  work.catch((fault: unknown) => call.reportLate(fault));
  throw toError(toTimeout(call.timeoutMs));
}

/** @throws an error of the work after the success of the call, which the caller still gets */
async function succeed(call: RunningCall): Promise<void> {
  try {
    call.successQueue ??= queueOfSuccess;
    await call.successQueue.succeed();
  } catch (fault) {
    await call.release();
    throw fault;
  }
  await call.held?.release();
}

/** A reader that has left does not get the error. */
async function giveUp(call: RunningCall, fault: unknown): Promise<void> {
  if (fault !== undefined && call.hasLeft) call.reportLate(fault);
  call.successQueue ??= queueOfFailure;
  call.successQueue.fail();
  await call.release();
}

/** Releases what a handler gave too late: a stream must hold no file, and its errors must not end the process. */
export function discardValue(value: unknown): void {
  try {
    void findItemSource(toReplyData(value))?.end();
  } catch {
    // Other code reads the stream, and ends it.
  }
}

/**
 * Builds the context of one request. Where the handler has enhancers, the additions are fields of the context itself,
 * so that an enhancer which passes `{...ctx, more}` passes them too; elsewhere a context that is sent or printed shows
 * only its id.
 */
export type BuildContext = (request: BuilderRequest, isEnhanced: boolean) => MaybePromise<object>;

/** Adds to the context after the builder: the returned fields are merged in. */
interface ContextExtension {
  readonly name: string;
  readonly context?: ((request: BuilderRequest, ctx: never) => unknown) | undefined;
}

/** Joins the builder and the extensions, in order. */
export function createContextBuilder(
  builder: ContextBuilder | undefined,
  plugins: readonly ContextExtension[],
): BuildContext {
  const build: BuildContext = (request, isEnhanced) => {
    if (builder === undefined) return toContext(nothing, request, isEnhanced);
    const built = builder.build(request);
    return isPromise(built)
      ? Promise.resolve(built).then((made) => toContext(made, request, isEnhanced))
      : toContext(built, request, isEnhanced);
  };
  const extensions = plugins.filter(({ context }) => context !== undefined);
  if (extensions.length === 0) return build;
  return (request, isEnhanced) => {
    const owners = new Map<string, string>();
    const base = toBase(request);
    const add = (ctx: object, { name, context }: ContextExtension): MaybePromise<object> =>
      andThen(context?.(request, ctx as never), (added) => {
        for (const [key, value] of Object.entries(added ?? {})) {
          const isOwn = key in base && Reflect.get(ctx, key) === Reflect.get(base, key);
          const other = owners.get(key) ?? 'the context builder';
          if (key in ctx && !isOwn)
            throw new TypeError(
              `Both ${other} and ${name} set '${key}' in the context. Rename it in one of them.`,
            );
          owners.set(key, name);
          Object.defineProperty(ctx, key, { ...OWN, value });
        }
        return ctx;
      });
    return extensions.reduce(
      (before: MaybePromise<object>, extension) => andThen(before, add, extension),
      build(request, isEnhanced),
    );
  };
}

/** What a context has that nothing has set: a plugin may set it. */
function toBase({ requestId, log }: BuilderRequest): Pick<BaseContext, 'requestId' | 'log'> {
  return { requestId, log };
}

const nothing = {};
const OWN = { writable: true, configurable: true, enumerable: true };

/** Has its request and the signal as getters of its class, which are not shown and cost nothing. */
class RequestContext {
  requestId: string;
  readonly #request: BuilderRequest;

  constructor(request: BuilderRequest) {
    this.requestId = request.requestId;
    this.#request = request;
  }

  /** Middleware may have made another context of this one. */
  get [REQUEST](): BuilderRequest {
    return #request in this
      ? this.#request
      : (Reflect.get(Object.getPrototypeOf(this) as object, REQUEST) as BuilderRequest);
  }
  get signal(): AbortSignal {
    return this[REQUEST].signal;
  }
  set signal(value: AbortSignal) {
    Object.defineProperty(this, 'signal', { ...OWN, value });
  }
  get log(): CallLog {
    return this[REQUEST].log;
  }
  set log(value: CallLog) {
    Object.defineProperty(this, 'log', { ...OWN, value });
  }
}

/**
 * A context of a child's own, with the fields that its parent's has: its guards may add to it, and limits find the
 * child by it. Undefined for an instance of a class, which has private fields that no copy has: each child has one
 * built.
 */
function toChildContext(
  shared: object,
  request: BuilderRequest,
  isEnhanced: boolean,
): object | undefined {
  if (!(shared instanceof RequestContext)) return undefined;
  return toContext(withFields({}, shared), request, isEnhanced);
}

/** A context that belongs to one request: a builder may return the same object each time. */
function toContext(built: object, request: BuilderRequest, isEnhanced: boolean): object {
  if (typeof built !== 'object' || built === null)
    throw new TypeError(
      `The context builder must return an object, got ${built === null ? 'null' : typeof built}.`,
    );
  const prototype: unknown = Object.getPrototypeOf(built);
  const isPlain = prototype === Object.prototype || prototype === null;
  if (isPlain && !isEnhanced) return withFields(new RequestContext(request), built);
  const ctx = isPlain ? withFields({}, built) : toOwnInstance(built);
  const hidden = { ...OWN, enumerable: isEnhanced };
  Object.defineProperty(ctx, REQUEST, { ...hidden, value: request });
  if (!('requestId' in ctx))
    Object.defineProperty(ctx, 'requestId', { ...hidden, value: request.requestId });
  if (!('log' in ctx)) Object.defineProperty(ctx, 'log', { ...hidden, value: request.log });
  const signal = { get: () => request.signal, configurable: true, enumerable: isEnhanced };
  return 'signal' in ctx ? ctx : Object.defineProperty(ctx, 'signal', signal);
}

/** Copies getters as getters: a value that a builder makes lazily is not made here. */
function withFields(ctx: object, built: object): object {
  for (const key of Object.keys(built)) {
    const field = Object.getOwnPropertyDescriptor(built, key) ?? {};
    if (field.get === undefined && field.set === undefined)
      (ctx as Record<string, unknown>)[key] = field.value;
    else Object.defineProperty(ctx, key, field);
  }
  return ctx;
}

/** An instance of a class cannot be copied. */
function toOwnInstance(built: object): object {
  if (!Object.hasOwn(built, REQUEST))
    return Object.isExtensible(built) ? built : (Object.create(built) as object);
  throw new TypeError(
    `The builder of defineContext(…) returned the same instance of ${built.constructor?.name ?? 'a class'} for two ` +
      'requests, whose signals and ids would mix. Return a new object for each request: defineContext(() => ({ ' +
      'service })).',
  );
}
