import { AsyncLocalStorage } from 'node:async_hooks';
import { releaseAfter, succeed } from '../capability/after-success.ts';
import {
  type BuilderRequest,
  type CallRequest,
  type ContextBuilder,
  calls,
  REQUEST,
} from '../capability/context.ts';
import type { Guard } from '../capability/guard.ts';
import { hasItems, toReplyData } from '../capability/reply.ts';
import { runCapability, toOutcome } from '../capability/run-capability.ts';
import { isFrameworkError } from '../errors/define-error.ts';
import {
  andThen,
  isPromise,
  type MaybePromise,
  type Outcome,
  toFailure,
} from '../errors/failure.ts';
import type { Operation } from '../registry/compile-registry.ts';
import { findItemSource } from '../resources/item-source.ts';
import type { OperationCall } from './operation-call.ts';

type Call = OperationCall & BuilderRequest & CallRequest;

/** Runs a call of an operation and gives its outcome to `done`, unless the call has ended by then. */
type Execute = <One extends Call>(operation: Operation, call: One, done: Done<One>) => void;
type Done<One> = (outcome: Outcome, call: One) => void;

type MapError = (error: unknown) => Error | undefined;

/** What an application does with errors that its handlers and resources throw. */
interface ErrorRules {
  readonly mapError?: MapError | undefined;
  /** Called with what fails at the end of a call, when nobody is left to be answered: a release, mostly. */
  readonly onFault: (call: Call, fault: unknown) => void;
}

/** Builds the context and runs the steps of the operation. */
export function createExecute(
  buildContext: BuildContext,
  { mapError, onFault }: ErrorRules,
): Execute {
  return (operation, call, done) => {
    if (calls === undefined) run(operation, call, done);
    else
      calls.run(call, run, operation, call, (outcome, one) =>
        calls?.run(undefined, done, outcome, one),
      );
  };

  function run<One extends Call>(operation: Operation, call: One, done: Done<One>): void {
    call.onFault = onFault as OperationCall['onFault'];
    try {
      const outcome = runSteps(operation, call);
      if (!isPromise(outcome)) return end(outcome, call, done);
      call.arm();
      outcome.then(
        (made) => end(made, call, done),
        (thrown: unknown) => failWith(thrown, call, done),
      );
    } catch (thrown) {
      failWith(thrown, call, done);
    }
  }

  function runSteps(operation: Operation, call: Call): MaybePromise<Outcome> {
    const steps = operation.steps();
    const context = buildContext(call, steps.isEnhanced);
    const ran = isPromise(context)
      ? context.then((ctx) => runCapability(steps, ctx, call))
      : runCapability(steps, context, call);
    return andThen(ran, endCall, call);
  }

  function failWith<One extends Call>(thrown: unknown, call: One, done: Done<One>): void {
    end({ ok: false, failure: toFailure(toMapped(thrown, mapError)) }, call, done);
  }
}

/** Lets go of what a failed call holds, and hands its outcome on. */
function end<One extends Call>(outcome: Outcome, call: One, done: Done<One>): void {
  if (!outcome.ok && call.endOfCall !== 'succeeded') call.endOfCall = 'failed';
  if (outcome.ok || call.held === undefined) return settle(outcome, call, done);
  call.arm();
  void call.held
    .release()
    .catch((fault: unknown) => call.onFault?.(call, fault))
    .then(() => settle(outcome, call, done));
}

function settle<One extends Call>(outcome: Outcome, call: One, done: Done<One>): void {
  call.onEnd?.();
  if (call.close()) done(outcome, call);
  else if (outcome.ok) discardValue(outcome.value);
}

/** A fault of `mapError` is told to the log together with what was thrown. */
function toMapped(thrown: unknown, mapError: MapError | undefined): unknown {
  if (mapError === undefined || isFrameworkError(thrown)) return thrown;
  try {
    const mapped = mapError(thrown);
    return isFrameworkError(mapped) ? mapped : thrown;
  } catch (fault) {
    return new AggregateError([thrown, fault], 'mapError threw an error over that of the call.');
  }
}

/** Does what waits for success and lets go of what the call holds, for a stream at its end, which `finish` may hide. */
function endCall(outcome: Outcome, call: Call): MaybePromise<Outcome> {
  if (!outcome.ok) return outcome;
  if (call.endOfCall === undefined && call.held === undefined && !hasItems(outcome.value)) {
    call.endOfCall = 'succeeded';
    return call.finish === undefined ? outcome : finish(outcome.value, call);
  }
  const release = (isWhole: boolean): Promise<void> =>
    isWhole ? completeCall(call) : leaveCall(call);
  call.runStream ??= AsyncLocalStorage.snapshot();
  return andThen(releaseAfter(outcome.value, release, call.runStream), finish, call);
}

function finish(value: unknown, call: Call): MaybePromise<Outcome> {
  return call.finish === undefined ? toOutcome(value) : andThen(call.finish(value), toOutcome);
}

/** @throws what fails after the success of the call, which its caller still hears of */
async function completeCall(call: Call): Promise<void> {
  try {
    await succeed(call);
  } catch (fault) {
    await leaveCall(call);
    throw fault;
  }
  await call.held?.release();
}

/** Lets go of what a call holds that nobody waits for any more. Never rejects. */
async function leaveCall(call: Call): Promise<void> {
  if (call.endOfCall !== 'succeeded') call.endOfCall = 'failed';
  await call.held?.release().catch((fault: unknown) => call.onFault?.(call, fault));
}

/** Releases what a handler gave when nobody waits for it: a stream holds no file, and its faults end nothing. */
export function discardValue(value: unknown): void {
  try {
    void findItemSource(toReplyData(value))?.end();
  } catch {
    // Somebody else reads it, and ends it.
  }
}

/** Finds the guards that refuse a caller with 401 or 403. No limit counts such a check, and no observer sees it. */
export function createGuardChecker(buildContext: BuildContext) {
  const isRefusal = (result: unknown): boolean => [401, 403].includes(toFailure(result).status);
  return async (
    guards: readonly Guard[],
    request: BuilderRequest & CallRequest,
  ): Promise<ReadonlySet<Guard>> => {
    const context = Promise.resolve(request).then((given) => buildContext(given, false));
    const refusals = guards.map(({ check }) =>
      context.then((ctx) => check(ctx as never)).then(isRefusal, isRefusal),
    );
    const refused = await Promise.all(refusals);
    return new Set(guards.filter((_, index) => refused[index]));
  };
}

/**
 * Builds the context for what is read of a capability without calling it, once its guards have let the caller pass.
 * No limit counts it, and no observer sees it. Rejects with the refusal.
 */
export function createAdmission(buildContext: BuildContext) {
  return async (
    guards: readonly Guard[],
    request: BuilderRequest & CallRequest,
  ): Promise<object> => {
    const context = await buildContext(request, false);
    for (const { check } of guards) await check(context as never);
    return context;
  };
}

/**
 * Makes the context of one request. Where the handler is enhanced, what is added has fields of its own, so that an
 * enhancer that hands on `{...ctx, more}` hands it on; elsewhere a context that is sent or printed shows only its id.
 */
export type BuildContext = (request: BuilderRequest, isEnhanced: boolean) => MaybePromise<object>;

/** Adds to the context after the builder: what it returns is merged in. */
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
      ? built.then((made) => toContext(made, request, isEnhanced))
      : toContext(built, request, isEnhanced);
  };
  const extensions = plugins.filter(({ context }) => context !== undefined);
  if (extensions.length === 0) return build;
  return (request, isEnhanced) => {
    const owners = new Map<string, string>();
    const add = (ctx: object, { name, context }: ContextExtension): MaybePromise<object> =>
      andThen(context?.(request, ctx as never), (added) => {
        for (const [key, value] of Object.entries(added ?? {})) {
          const isGivenId =
            key === 'requestId' && (ctx as { requestId?: unknown }).requestId === request.requestId;
          const other = owners.get(key) ?? 'the context builder';
          if (key in ctx && !isGivenId)
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
  const signal = { get: () => request.signal, configurable: true, enumerable: isEnhanced };
  return 'signal' in ctx ? ctx : Object.defineProperty(ctx, 'signal', signal);
}

/** Getters stay ones: what a builder makes lazily is not asked for. */
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
