import { EndOfCall, releaseAfter } from '../capability/after-success.ts';
import { type AnswerStep, createAnswerStep } from '../capability/answer-step.ts';
import { type CallRequest, runInCall } from '../capability/call-request.ts';
import type { BuilderRequest } from '../capability/context.ts';
import { toReplyData } from '../capability/reply.ts';
import { type InputSource, runCapability } from '../capability/run-capability.ts';
import { isFrameworkError } from '../errors/define-error.ts';
import { andThen, isPromise, type MaybePromise, type Outcome, toFailure } from '../errors/failure.ts';
import { type Operation, stepsOf } from '../registry/operation.ts';
import { findItemSource, isAsyncIterable, isNodeStream, isWebStream } from '../resources/item-source.ts';
import type { OwnedResources } from '../resources/resources.ts';
import type { BuildContext } from './context-builder.ts';
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
  const answerStepOf = createAnswerSteps();
  return (call, done) => runInCall(call.request, () => run(call, done));

  function run(call: OperationCall, done: (outcome: Outcome) => void): void {
    const end = (outcome: Outcome): void => {
      call.onEnd?.();
      if (call.scope.close()) runInCall(undefined, () => done(outcome));
      else if (outcome.ok) discardValue(outcome.value);
    };
    const settle = (outcome: Outcome): void => {
      const { held } = call.scope;
      if (held === undefined) return end(outcome);
      void letGo(outcome, held).then(end);
    };
    const fail = (thrown: unknown): void =>
      settle(endFailed(call, { ok: false, failure: toFailure(toMapped(thrown, mapError)) }));
    try {
      const { operation } = call;
      const steps = stepsOf(operation);
      const context = buildContext(call.request, operation.definition.enhancers.length > 0);
      const ran = andThen(context, (ctx) => runCapability(steps, ctx, call.source));
      const checked = operation.definition.answers.length === 0 ? ran : andThen(ran, answerStepOf(operation));
      const ended = andThen(checked, (result) => endCall(call, result));
      const outcome = call.finish === undefined ? ended : andThen(ended, toFinish(call, call.finish));
      if (isPromise(outcome)) outcome.then(settle, fail);
      else settle(outcome);
    } catch (thrown) {
      fail(thrown);
    }
  }
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
  const data = toReplyData(outcome.value);
  const isItems = typeof data === 'object' && data !== null && isAsyncIterable(data) && !isByteStream(data);
  if (request.endOfCall === undefined && !isItems) {
    request.endOfCall = EndOfCall.succeeded;
    return outcome;
  }
  const settle = async (isWhole: boolean): Promise<void> => {
    request.endOfCall ??= isWhole ? EndOfCall.succeeded : EndOfCall.failed;
    await (isWhole ? request.endOfCall.succeed() : request.endOfCall.fail());
  };
  const value = releaseAfter(outcome.value, settle, (step) => runInCall(request, step));
  return andThen(value, (given): Outcome => ({ ok: true, value: given }));
}

/** A stream of Node or the web, whose items no handler makes while they are read. */
function isByteStream(data: object): boolean {
  return isNodeStream(data) || isWebStream(data);
}

function endFailed({ request }: OperationCall, outcome: Outcome): Outcome {
  request.endOfCall ??= EndOfCall.failed;
  request.endOfCall.fail();
  return outcome;
}

type Finish = NonNullable<OperationCall['finish']>;

/** Resources are bound to a stream before something else is made of it, which may not say when that ends. */
function toFinish({ scope }: OperationCall, finish: Finish): (outcome: Outcome) => MaybePromise<Outcome> {
  return (outcome) => {
    if (!outcome.ok) return outcome;
    const value = scope.held === undefined ? outcome.value : releaseAfter(outcome.value, scope.held.release);
    return andThen(andThen(value, finish), (finished): Outcome => ({ ok: true, value: finished }));
  };
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

/** The answer steps of operations, each made at its first call. */
function createAnswerSteps(): (operation: Operation) => AnswerStep {
  const steps = new WeakMap<Operation, AnswerStep>();
  return (operation) => {
    const { key, definition } = operation;
    const step = steps.get(operation) ?? createAnswerStep(key, definition.answers);
    steps.set(operation, step);
    return step;
  };
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
