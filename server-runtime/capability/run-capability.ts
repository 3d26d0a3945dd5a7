import { andThen, isPromise, type MaybePromise, noteRefusal, type Outcome, type RefusedBy } from '../errors/failure.ts';
import { createValidator, type Validator } from '../schema/validator.ts';
import { findCallRequest } from './call-request.ts';
import type { ContextRequest } from './context.ts';
import type { CapabilityDefinition, Intent } from './definition.ts';
import { type Check, type EnhancedOperation, innerPartsOf, type Next, type SentStep } from './enhancer.ts';

/** A capability made ready to run: everything that can be computed once is. */
export interface CapabilitySteps {
  /** The checks of enhancers that come before guards; undefined where there are none. */
  readonly admit: Check | undefined;
  /** The steps that look at whole calls, the first outermost. */
  readonly runs: readonly RunStep[];
  readonly checkGuards: Check;
  readonly validate: Validator;
  readonly checkInputGuards: Check;
  /** The handler inside its enhancers, and what is around them all. */
  readonly handle: SentStep;
}

/** Gives the raw input once the guards have passed, so that nobody reads or parses for a caller who is refused. */
export interface InputSource {
  readInput(): MaybePromise<Outcome>;
}

/**
 * One call of one capability: guards, input, validation, input guards, its idempotency key, enhancers and handler. In
 * the same turn where every step is synchronous. What guards, enhancers and handler throw passes through.
 */
export function runCapability(steps: CapabilitySteps, ctx: unknown, source: InputSource): MaybePromise<Outcome> {
  if (steps.runs.length > 0) return runObserved(steps, ctx, source);
  return runUnobserved(steps, ctx, source);
}

function runObserved(steps: CapabilitySteps, ctx: unknown, source: InputSource): MaybePromise<Outcome> {
  const request = findCallRequest(ctx);
  const run = steps.runs.reduceRight<() => MaybePromise<unknown>>(
    (inner, around) => () => around(inner, request),
    () => runUnobserved(steps, ctx, source),
  );
  return run() as MaybePromise<Outcome>;
}

function runUnobserved(steps: CapabilitySteps, ctx: unknown, source: InputSource): MaybePromise<Outcome> {
  if (steps.admit === undefined) return runAdmitted(steps, ctx, source);
  return andThen(steps.admit(ctx, undefined), () => runAdmitted(steps, ctx, source));
}

function runAdmitted(steps: CapabilitySteps, ctx: unknown, source: InputSource): MaybePromise<Outcome> {
  return andThen(steps.checkGuards(ctx, undefined), () =>
    andThen(source.readInput(), (raw) => {
      if (!raw.ok) return raw;
      return andThen(steps.validate(raw.value), (valid) => {
        if (!valid.ok) return valid;
        return andThen(steps.checkInputGuards(ctx, valid.value), () =>
          andThen(steps.handle(valid.value, ctx, raw.value), toOutcome),
        );
      });
    }),
  );
}

/** `observers` look at each step; a step that none of them asks for stays as it is. */
export function toCapabilitySteps(
  definition: CapabilityDefinition,
  operation: EnhancedOperation,
  observers: readonly Observer[] = [],
): CapabilitySteps {
  const runsOf = (kind: ObservedStep['kind'], name: string): readonly RunStep[] =>
    toRuns(observers, { capability: operation.key, intent: operation.intent, kind, name });
  const inner = definition.enhancers.map(innerPartsOf);
  const once = definition.enhancers.findLast((enhancer) => innerPartsOf(enhancer).once !== undefined);
  const admitting = inner.flatMap(({ admit }) => (admit === undefined ? [] : [admit(operation)]));
  const guards = definition.guards.map(({ check, name }) =>
    noting(observed(check as unknown as Check, runsOf('guard', name), 0), { name, sawInput: false }),
  );
  return {
    admit: admitting.length === 0 ? undefined : joinChecks(admitting),
    runs: runsOf('call', operation.key),
    checkGuards: joinChecks(guards),
    validate: createValidator(definition.schema),
    checkInputGuards: joinChecks(
      definition.inputGuards.map((guard) =>
        noting(
          observed<Check>(
            (ctx, input) => guard.check(input as never, ctx as never),
            runsOf('inputGuard', guard.name),
            0,
          ),
          { name: guard.name, sawInput: true },
        ),
      ),
    ),
    handle: toOnceStep(
      definition.enhancers.reduceRight<Next>(
        (next, enhancer) =>
          innerPartsOf(enhancer).once !== undefined
            ? next
            : observed(enhancer.wrap(next, operation) as Next, runsOf('enhancer', enhancer.name), 1),
        observed(definition.handler as Next, runsOf('handler', operation.key), 1),
      ),
    ),
  };

  function toOnceStep(next: Next): SentStep {
    const step = once && innerPartsOf(once).once?.(next, operation);
    const seenBy = once === undefined ? [] : runsOf('enhancer', once.name);
    if (step === undefined || seenBy.length === 0) return step ?? next;
    return (input, ctx, sent) => observed<Next>((given, known) => step(given, known, sent), seenBy, 1)(input, ctx);
  }
}

/**
 * The same check, which says who it was that refused. An error that a guard returns is one that it meant to throw: who
 * is to be refused must not pass for a missing `throw`.
 */
function noting(check: Check, guard: RefusedBy): Check {
  const refuse = (thrown: unknown): never => {
    noteRefusal(thrown, guard);
    throw thrown;
  };
  const settle = (checked: unknown): void => {
    if (checked instanceof Error) refuse(checked);
  };
  return (ctx, input) => {
    let checked: unknown;
    try {
      checked = check(ctx, input);
    } catch (thrown) {
      return refuse(thrown);
    }
    return isPromise(checked) ? checked.then(settle, refuse) : settle(checked);
  };
}

/** All checks as one, in order; the next begins when the one before has passed. */
function joinChecks(checks: readonly Check[]): Check {
  return checks.reduceRight<Check>(
    (next, check) => (ctx, input) => andThen(check(ctx, input), () => next(ctx, input)),
    () => {},
  );
}

function toOutcome(value: unknown): Outcome {
  return { ok: true, value };
}

/** A part of a call that can be looked at. `call` is the whole one, without the reading of its request. */
export interface ObservedStep {
  /** Key of the capability: `users.getUser`. */
  readonly capability: string;
  /** The intent of the capability. */
  readonly intent: Intent;
  /** An enhancer has those inside it, and the handler, in its time. */
  readonly kind: 'call' | 'guard' | 'inputGuard' | 'enhancer' | 'handler';
  /** The name of the guard or enhancer; of a call and its handler the key. */
  readonly name: string;
}

/**
 * Runs a step, and gives what it gave. A guard, an enhancer or a handler that refuses rejects or throws; a `call` whose
 * input is invalid gives `{ok: false, failure}`.
 */
export type RunStep = (run: () => MaybePromise<unknown>, request: ContextRequest | undefined) => MaybePromise<unknown>;

/** Asked once for each step, when a server is made: undefined leaves it alone, which costs nothing. */
export type Observer = (step: ObservedStep) => RunStep | undefined;

type Step = (first: never, second: never) => MaybePromise<unknown>;

/** The same step, in the hands of all observers, the first outermost; `contextAt` is the index of the context. */
export function observed<S extends Step>(step: S, runs: readonly RunStep[], contextAt: 0 | 1): S {
  return runs.reduceRight<Step>(
    (inner, run) => (first, second) =>
      run(() => inner(first, second), findCallRequest(contextAt === 0 ? first : second)),
    step,
  ) as S;
}

/** The runs that observers give for a step. */
export function toRuns(observers: readonly Observer[], step: ObservedStep): readonly RunStep[] {
  return observers.flatMap((observer) => observer(step) ?? []);
}
