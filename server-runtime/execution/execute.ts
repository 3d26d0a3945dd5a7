import { EndOfCall, releaseAfter } from '../capability/after-success.ts';
import { type AnswerStep, createAnswerStep } from '../capability/answer-step.ts';
import { type CallRequest, calls, findCallRequest, REQUEST } from '../capability/call-request.ts';
import type { BuilderRequest, ContextBuilder } from '../capability/context.ts';
import { isPlainData, toReplyData } from '../capability/reply.ts';
import { type CapabilitySteps, type InputSource, runCapability } from '../capability/run-capability.ts';
import { isFrameworkError } from '../errors/define-error.ts';
import { andThen, isPromise, type MaybePromise, type Outcome, toFailure } from '../errors/failure.ts';
import { type Operation, stepsOf } from '../registry/operation.ts';
import { findItemSource, isAsyncIterable, isNodeStream, isWebStream } from '../resources/item-source.ts';
import type { OwnedResources } from '../resources/resources.ts';
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

  function run(call: OperationCall, { steps, answer }: OperationSteps, done: (outcome: Outcome) => void): void {
    const { request, scope, source, finish } = call;
    const end = (outcome: Outcome): void => {
      call.onEnd?.();
      if (scope.close()) done(outcome);
      else if (outcome.ok) discardValue(outcome.value);
    };
    const settle = (outcome: Outcome): void => {
      if (scope.held === undefined) end(outcome);
      else void letGo(outcome, scope.held).then(end);
    };
    const fail = (thrown: unknown): void =>
      settle(endFailed(call, { ok: false, failure: toFailure(toMapped(thrown, mapError)) }));
    try {
      const context = buildContext(request, call.operation.definition.enhancers.length > 0);
      const ran = andThen(context, (ctx) => runCapability(steps, ctx, source));
      const checked = answer === undefined ? ran : andThen(ran, answer);
      const ended = andThen(checked, (result) => endCall(call, result));
      const outcome = finish === undefined ? ended : andThen(ended, (result) => finishCall(result, scope, finish));
      if (isPromise(outcome)) outcome.then(settle, fail);
      else settle(outcome);
    } catch (thrown) {
      fail(thrown);
    }
  }
}

interface OperationSteps {
  readonly steps: CapabilitySteps;
  /** Undefined where nothing is declared of the answer. */
  readonly answer: AnswerStep | undefined;
}

function toSteps(operation: Operation): OperationSteps {
  const { key, definition } = operation;
  const { answers } = definition;
  return { steps: stepsOf(operation), answer: answers.length === 0 ? undefined : createAnswerStep(key, answers) };
}

/** Makes a declared error of what a database or a library throws; gives undefined for anything else. */
export type MapError = (error: unknown) => Error | undefined;

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

/** Does what waits for the success of the call: for data at once, for a stream after its last item. */
function endCall(call: OperationCall, outcome: Outcome): MaybePromise<Outcome> {
  if (!outcome.ok) return endFailed(call, outcome);
  const { request } = call;
  if (request.endOfCall === undefined && !isItems(outcome.value)) {
    request.endOfCall = EndOfCall.succeeded;
    return outcome;
  }
  const settle = async (isWhole: boolean): Promise<void> => {
    request.endOfCall ??= isWhole ? EndOfCall.succeeded : EndOfCall.failed;
    await (isWhole ? request.endOfCall.succeed() : request.endOfCall.fail());
  };
  const value = releaseAfter(outcome.value, settle, (step) =>
    calls === undefined ? step() : calls.run(request, step),
  );
  return andThen(value, (given): Outcome => ({ ok: true, value: given }));
}

/** Whether a handler makes the items of a value while they are read, as it does not for a stream of Node or the web. */
function isItems(value: unknown): boolean {
  const data = isPlainData(value) ? undefined : toReplyData(value);
  if (typeof data !== 'object' || data === null) return false;
  return isAsyncIterable(data) && !isNodeStream(data) && !isWebStream(data);
}

function endFailed({ request }: OperationCall, outcome: Outcome): Outcome {
  request.endOfCall ??= EndOfCall.failed;
  request.endOfCall.fail();
  return outcome;
}

type Finish = NonNullable<OperationCall['finish']>;

/** Resources are bound to a stream before something else is made of it, which may not say when that ends. */
function finishCall(outcome: Outcome, { held }: RequestScope, finish: Finish): MaybePromise<Outcome> {
  if (!outcome.ok) return outcome;
  const value = held === undefined ? outcome.value : releaseAfter(outcome.value, held.release);
  return andThen(andThen(value, finish), (finished): Outcome => ({ ok: true, value: finished }));
}

/** Lets go of what a request holds, of a stream at its end. A fault fails what had not failed. */
async function letGo(outcome: Outcome, held: OwnedResources): Promise<Outcome> {
  try {
    if (outcome.ok) return { ok: true, value: await releaseAfter(outcome.value, held.release) };
    await held.release();
    return outcome;
  } catch (fault) {
    return outcome.ok ? { ok: false, failure: toFailure(fault) } : outcome;
  }
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
 * Makes the context of one request, with its `signal`. Where the handler is enhanced the signal is a property that a
 * copy has too, so that an enhancer that hands on `{...ctx, more}` hands it on; elsewhere a context that is sent or
 * printed does not show it.
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
  const isExtended = extensions.length > 0;
  const build: BuildContext = (request, isEnhanced) => {
    const built = builder === undefined ? { requestId: request.requestId } : builder.build(request);
    return andThen(built, (made) => withRequest(toOwn(made, isExtended), request, isEnhanced));
  };
  if (!isExtended) return build;
  return (request, isEnhanced) => {
    const owners = new Map<string, string>();
    return extensions.reduce<MaybePromise<object>>(
      (before, { owner, extend }) =>
        andThen(before, (ctx) => andThen(extend(request, ctx), (added) => addAll(ctx, added, { owner, owners }))),
      build(request, isEnhanced),
    );
  };
}

/**
 * A context that belongs to one request: a builder may return the same object each time, whose requests have each
 * their signal. An instance of a class cannot be copied.
 */
function toOwn(built: object, isExtended: boolean): object {
  if (typeof built !== 'object' || built === null)
    throw new TypeError(`The context builder must return an object, got ${built === null ? 'null' : typeof built}.`);
  const isUsed = Object.hasOwn(built, REQUEST);
  const isExtensible = Object.isExtensible(built);
  if (!isUsed && !isExtended && isExtensible) return built;
  const prototype: unknown = Object.getPrototypeOf(built);
  if (prototype !== Object.prototype && prototype !== null) {
    if (!isUsed) return isExtensible ? built : (Object.create(built) as object);
    throw new TypeError(
      `The builder of defineContext(…) returned the same instance of ${built.constructor?.name ?? 'a class'} for two ` +
        'requests, whose signals and ids would mix. Return a new object for each request: defineContext(() => ({ ' +
        'service })).',
    );
  }
  const { signal, requestId, [REQUEST]: _, ...own } = Object.getOwnPropertyDescriptors(built) as PropertyDescriptorMap;
  const ctx = Object.defineProperties({}, own);
  if (requestId !== undefined && !isGivenId(built)) Object.defineProperty(ctx, 'requestId', requestId);
  if (signal !== undefined && signal.get !== SIGNAL.get) Object.defineProperty(ctx, 'signal', signal);
  return ctx;
}

/**
 * Fields that do not show when a context is sent or printed, unless its copies are to have them. With a WeakMap each
 * request would outlive the young generation of the heap, which doubled the cost of a small one. The signal is a
 * getter, because making one costs more than the rest of a small request.
 */
function withRequest(ctx: object, request: BuilderRequest, enumerable: boolean): object {
  Object.defineProperty(ctx, REQUEST, { value: request, configurable: true, enumerable });
  if (!('requestId' in ctx)) {
    const id = { value: request.requestId, writable: true, configurable: true };
    Object.defineProperty(ctx, 'requestId', { ...id, enumerable });
  }
  return 'signal' in ctx ? ctx : Object.defineProperty(ctx, 'signal', enumerable ? COPIED_SIGNAL : SIGNAL);
}

const SIGNAL: PropertyDescriptor & ThisType<object> = {
  get() {
    return findCallRequest(this)?.signal;
  },
  configurable: true,
  enumerable: false,
};
const COPIED_SIGNAL = { ...SIGNAL, enumerable: true };

interface Adding {
  readonly owner: string;
  /** Who has added which keys. */
  readonly owners: Map<string, string>;
}

function addAll(ctx: object, added: object = {}, { owner, owners }: Adding): object {
  for (const [key, value] of Object.entries(added)) {
    if (key in ctx && !(key === 'requestId' && isGivenId(ctx))) {
      const other = owners.get(key) ?? 'the context builder';
      throw new TypeError(`Both ${other} and ${owner} set '${key}' in the context. Rename it in one of them.`);
    }
    owners.set(key, owner);
    Object.defineProperty(ctx, key, { value, writable: true, configurable: true, enumerable: true });
  }
  return ctx;
}

/** Whether a context has the id of its request, which stands back where a plugin says another. */
function isGivenId(ctx: { readonly requestId?: unknown }): boolean {
  return ctx.requestId === findCallRequest(ctx)?.requestId;
}
