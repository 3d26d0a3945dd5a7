import { EndOfCall, releaseAfter } from '../capability/after-success.ts';
import { type AnswerStep, createAnswerStep } from '../capability/answer-step.ts';
import { type CallRequest, calls, REQUEST } from '../capability/call-request.ts';
import type { BuilderRequest, ContextBuilder } from '../capability/context.ts';
import { REPLY, toReplyData } from '../capability/reply.ts';
import { type CapabilitySteps, type InputSource, runCapability } from '../capability/run-capability.ts';
import { isFrameworkError } from '../errors/define-error.ts';
import { andThen, isPromise, type MaybePromise, type Outcome, toFailure } from '../errors/failure.ts';
import { type Operation, stepsOf } from '../registry/operation.ts';
import { findItemSource, isAsyncIterable, isNodeStream, isWebStream } from '../resources/item-source.ts';
import type { RequestScope } from './request-scope.ts';

/** One call of one operation, from whichever transport. */
export interface OperationCall {
  readonly operation: Operation;
  readonly request: BuilderRequest & CallRequest;
  readonly scope: RequestScope;
  readonly source: InputSource;
  /** Makes what the caller gets of the handler's value, while the time of the call runs: reads a stream to its end. */
  readonly finish?: ((value: unknown) => MaybePromise<unknown>) | undefined;
  /** Told when all that the call ran has ended, which may be after its scope has. */
  readonly onEnd?: (() => void) | undefined;
}

/** Runs a call and gives its outcome to `done`, unless the call's scope has ended by then. */
export type Execute = (call: OperationCall, done: (outcome: Outcome) => void) => void;

/** Makes a declared error of what a database or a library throws; gives undefined for anything else. */
export type MapError = (error: unknown) => Error | undefined;

/**
 * Context, then guards → input → validation → input guards → enhancers(handler), then what is declared of the
 * answer, then what waits for the success of the call. Whatever is thrown on the way becomes a failure here, and
 * nowhere else.
 */
export function createExecute(buildContext: BuildContext, mapError?: MapError): Execute {
  /** The steps of operations, each made at its first call. */
  const all = new WeakMap<Operation, OperationSteps>();

  return (call, done) => {
    const { operation, request } = call;
    let steps = all.get(operation);
    if (steps === undefined) all.set(operation, (steps = toSteps(operation)));
    const known = steps;
    if (calls === undefined) run(call, known, done);
    else calls.run(request, () => run(call, known, (outcome) => calls?.run(undefined, () => done(outcome))));
  };

  function run(call: OperationCall, steps: OperationSteps, done: (outcome: Outcome) => void): void {
    const { request, scope } = call;
    const settle = (outcome: Outcome): void => {
      call.onEnd?.();
      if (scope.close()) done(outcome);
      else if (outcome.ok) discardValue(outcome.value);
    };
    /** Lets go of what the call holds. Its faults are not told: the call has failed already. */
    const fail = (outcome: Outcome): void => {
      request.endOfCall ??= EndOfCall.failed;
      request.endOfCall.fail();
      if (scope.held === undefined) return settle(outcome);
      scope.arm();
      void scope.held
        .release()
        .catch(() => {})
        .then(() => settle(outcome));
    };
    const end = (outcome: Outcome): void => (outcome.ok ? settle(outcome) : fail(outcome));
    const failWith = (thrown: unknown): void => fail({ ok: false, failure: toFailure(toMapped(thrown, mapError)) });
    try {
      const outcome = runSteps(call, steps);
      if (!isPromise(outcome)) return end(outcome);
      scope.arm();
      outcome.then(end, failWith);
    } catch (thrown) {
      failWith(thrown);
    }
  }

  function runSteps(call: OperationCall, { steps, answer, isEnhanced }: OperationSteps): MaybePromise<Outcome> {
    const context = buildContext(call.request, isEnhanced);
    const ran = isPromise(context)
      ? context.then((ctx) => runCapability(steps, ctx, call.source))
      : runCapability(steps, context, call.source);
    const checked = answer === undefined ? ran : andThen(ran, answer);
    return isPromise(checked) ? checked.then((outcome) => endCall(call, outcome)) : endCall(call, checked);
  }
}

interface OperationSteps {
  readonly steps: CapabilitySteps;
  /** Undefined where nothing is declared of the answer. */
  readonly answer: AnswerStep | undefined;
  readonly isEnhanced: boolean;
}

function toSteps(operation: Operation): OperationSteps {
  const { key, definition } = operation;
  const { answers, enhancers } = definition;
  const answer = answers.length === 0 ? undefined : createAnswerStep(key, answers);
  return { steps: stepsOf(operation), answer, isEnhanced: enhancers.length > 0 };
}

/** A fault of `mapError` is told to the log together with what was thrown. */
function toMapped(thrown: unknown, mapError: MapError | undefined): unknown {
  if (mapError === undefined || isFrameworkError(thrown)) return thrown;
  try {
    const mapped = mapError(thrown);
    return isFrameworkError(mapped) ? mapped : thrown;
  } catch (fault) {
    return new AggregateError(
      [thrown, fault],
      'mapError threw an error (the second) over that of the call (the first).',
    );
  }
}

/**
 * Does what waits for the success of the call, and lets go of what it holds: for data at once, for a stream at its end.
 * Both are bound to the value before `finish` makes something of it, which may not say when that ends.
 */
function endCall(call: OperationCall, outcome: Outcome): MaybePromise<Outcome> {
  if (!outcome.ok) return outcome;
  const { request, scope, finish } = call;
  let value: MaybePromise<unknown> = outcome.value;
  if (request.endOfCall === undefined && scope.held === undefined && !isItems(value)) {
    request.endOfCall = EndOfCall.succeeded;
    if (finish === undefined) return outcome;
  } else {
    const run = <T>(step: () => T): T => (calls === undefined ? step() : calls.run(request, step));
    value = releaseAfter(value, (isWhole) => settleCall(call, isWhole), run);
  }
  return andThen(
    finish === undefined ? value : andThen(value, finish),
    (given): Outcome => ({ ok: true, value: given }),
  );
}

async function settleCall({ request, scope }: OperationCall, isWhole: boolean): Promise<void> {
  request.endOfCall ??= isWhole ? EndOfCall.succeeded : EndOfCall.failed;
  try {
    await (isWhole ? request.endOfCall.succeed() : request.endOfCall.fail());
  } catch (fault) {
    await scope.held?.release().catch(() => {});
    throw fault;
  }
  await scope.held?.release();
}

/** Whether a handler makes the items of a value while they are read, as it does not for a stream of Node or the web. */
function isItems(value: unknown): boolean {
  const data = isPlainData(value) ? undefined : toReplyData(value);
  if (typeof data !== 'object' || data === null) return false;
  return isAsyncIterable(data) && !isNodeStream(data) && !isWebStream(data);
}

/** Whether a value is surely data, neither a reply nor a stream: asked first, because nearly every value is. */
export function isPlainData(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return true;
  return Object.getPrototypeOf(value) === Object.prototype && !(REPLY in value) && !(Symbol.asyncIterator in value);
}

/** Releases what a handler gave when nobody waits for it: a stream holds no file, and its faults end nothing. */
export function discardValue(value: unknown): void {
  try {
    void findItemSource(toReplyData(value))?.end();
  } catch {
    // Somebody else reads it, and ends it.
  }
}

/** Runs the guards of an operation for a request, and nothing else of a call. Rejects with what refused. */
export type CheckGuards = (operation: Operation, request: BuilderRequest & CallRequest) => Promise<void>;

/** No limit counts such a check, and no observer sees it. */
export function createGuardChecker(buildContext: BuildContext): CheckGuards {
  return async (operation, request) => {
    const ctx = await buildContext(request, false);
    for (const guard of operation.definition.guards) {
      const checked: unknown = await guard.check(ctx as never);
      if (checked instanceof Error) throw checked;
    }
  };
}

/**
 * Makes the context of one request. Where the handler is enhanced, what is added has fields of its own, so that an
 * enhancer that hands on `{...ctx, more}` hands it on; elsewhere a context that is sent or printed does not show it.
 */
export type BuildContext = (request: BuilderRequest, isEnhanced: boolean) => MaybePromise<object>;

/** Adds to the context after the builder: what it returns is merged in. */
export interface ContextExtension {
  /** Who adds, for the error when two add the same key. */
  readonly owner: string;
  readonly extend: (request: BuilderRequest, ctx: object) => MaybePromise<object | undefined>;
}

/** Joins the builder and the extensions, in order. Without either the context is `{requestId}`. */
export function createContextBuilder(
  builder: ContextBuilder | undefined,
  extensions: readonly ContextExtension[],
): BuildContext {
  const build: BuildContext = (request, isEnhanced) => {
    const built = builder === undefined ? { requestId: request.requestId } : builder.build(request);
    return isPromise(built)
      ? built.then((made) => toContext(made, request, isEnhanced))
      : toContext(built, request, isEnhanced);
  };
  if (extensions.length === 0) return build;
  return (request, isEnhanced) => {
    const owners = new Map<string, string>();
    const add = (ctx: object, { owner, extend }: ContextExtension): MaybePromise<object> =>
      andThen(extend(request, ctx), (added = {}) => {
        for (const [key, value] of Object.entries(added)) {
          const isGivenId = key === 'requestId' && (ctx as { requestId?: unknown }).requestId === request.requestId;
          if (key in ctx && !isGivenId) {
            const other = owners.get(key) ?? 'the context builder';
            throw new TypeError(`Both ${other} and ${owner} set '${key}' in the context. Rename it in one of them.`);
          }
          owners.set(key, owner);
          Object.defineProperty(ctx, key, { ...OWN, value });
        }
        return ctx;
      });
    return extensions.reduce<MaybePromise<object>>(
      (before, extension) => andThen(before, (ctx) => add(ctx, extension)),
      build(request, isEnhanced),
    );
  };
}

const OWN = { writable: true, configurable: true, enumerable: true };

/**
 * Has what a request adds to a context as getters, which are not shown. Properties of every context would cost five
 * times as much, and making a signal more than the rest of a small request.
 */
class CallContext {
  readonly #request: BuilderRequest;

  constructor(request: BuilderRequest) {
    this.#request = request;
  }

  /** Middleware may have made another context of this one. */
  static #find(ctx: object): BuilderRequest {
    return #request in ctx ? ctx.#request : CallContext.#find(Object.getPrototypeOf(ctx) as object);
  }
  get [REQUEST](): BuilderRequest {
    return CallContext.#find(this);
  }
  get requestId(): string {
    return this[REQUEST].requestId;
  }
  set requestId(value: string) {
    Object.defineProperty(this, 'requestId', { ...OWN, value });
  }
  get signal(): AbortSignal {
    return this[REQUEST].signal;
  }
  set signal(value: AbortSignal) {
    Object.defineProperty(this, 'signal', { ...OWN, value });
  }
}

/** A context that belongs to one request: a builder may return the same object each time. */
function toContext(built: object, request: BuilderRequest, isEnhanced: boolean): object {
  if (typeof built !== 'object' || built === null)
    throw new TypeError(`The context builder must return an object, got ${built === null ? 'null' : typeof built}.`);
  const prototype: unknown = Object.getPrototypeOf(built);
  const isPlain = prototype === Object.prototype || prototype === null;
  if (isPlain && !isEnhanced) return withFields(new CallContext(request), built);
  const ctx = isPlain ? withFields({}, built) : toOwnInstance(built);
  const hidden = { ...OWN, enumerable: isEnhanced };
  Object.defineProperty(ctx, REQUEST, { ...hidden, value: request });
  if (!('requestId' in ctx)) Object.defineProperty(ctx, 'requestId', { ...hidden, value: request.requestId });
  const signal = { get: () => request.signal, configurable: true, enumerable: isEnhanced };
  return 'signal' in ctx ? ctx : Object.defineProperty(ctx, 'signal', signal);
}

/** Getters stay ones: what a builder makes lazily is not asked for. */
function withFields<Ctx extends object>(ctx: Ctx, built: object): Ctx {
  for (const key of Reflect.ownKeys(built)) {
    const field = Object.getOwnPropertyDescriptor(built, key);
    if (field === undefined) continue;
    if (field.get !== undefined || field.set !== undefined || field.enumerable !== true)
      Object.defineProperty(ctx, key, field);
    else (ctx as Record<PropertyKey, unknown>)[key] = field.value;
  }
  return ctx;
}

/** An instance of a class cannot be copied. */
function toOwnInstance(built: object): object {
  if (!Object.hasOwn(built, REQUEST)) return Object.isExtensible(built) ? built : (Object.create(built) as object);
  throw new TypeError(
    `The builder of defineContext(…) returned the same instance of ${built.constructor?.name ?? 'a class'} for two ` +
      'requests, whose signals and ids would mix. Return a new object for each request: defineContext(() => ({ ' +
      'service })).',
  );
}
