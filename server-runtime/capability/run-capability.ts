import { andThen, isPromise, type MaybePromise, type Outcome } from '../errors/outcome.ts';
import { noteRefusal, type RefusedBy } from '../errors/refused-by.ts';
import { createValidator, type Validator } from '../schema/validator.ts';
import type { CapabilityDefinition } from './capability-definition.ts';
import { type Check, type EnhancedOperation, innerPartsOf, type Next } from './enhancer.ts';

/** A capability made ready to run: everything that can be computed once is. */
export interface CapabilitySteps {
  /** Whether an enhancer asks for the request of the call. */
  readonly readsRequest: boolean;
  /** The checks of enhancers that come before guards; undefined where there are none. */
  readonly admit: Check | undefined;
  readonly checkGuards: Check;
  readonly validate: Validator;
  readonly checkInputGuards: Check;
  /** The handler inside its enhancers. */
  readonly handle: Next;
}

/** Gives the raw input once the guards have passed, so that nobody reads or parses for a caller who is refused. */
export interface InputSource {
  readInput(): MaybePromise<Outcome>;
}

/**
 * One call of one capability: guards, input, validation, input guards, enhancers and handler. In the same turn where
 * every step is synchronous. What guards, enhancers and handler throw passes through.
 */
export function runCapability(steps: CapabilitySteps, ctx: unknown, source: InputSource): MaybePromise<Outcome> {
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
          andThen(steps.handle(valid.value, ctx), toOutcome),
        );
      });
    }),
  );
}

export function toCapabilitySteps(definition: CapabilityDefinition, operation: EnhancedOperation): CapabilitySteps {
  const inner = definition.enhancers.map(innerPartsOf);
  const admitting = inner.flatMap(({ admit }) => (admit === undefined ? [] : [admit(operation)]));
  const guards = definition.guards.map(({ check, name }) =>
    noting(check as (ctx: unknown) => MaybePromise<void>, { name, sawInput: false }),
  );
  return {
    readsRequest: inner.some(({ usesServer }) => usesServer === true),
    admit: admitting.length === 0 ? undefined : joinChecks(admitting),
    checkGuards: joinChecks(guards),
    validate: createValidator(definition.schema),
    checkInputGuards: joinChecks(
      definition.inputGuards.map((guard) =>
        noting((ctx, input) => guard.check(input as never, ctx as never), { name: guard.name, sawInput: true }),
      ),
    ),
    handle: definition.enhancers.reduceRight<Next>(
      (next, enhancer) => enhancer.wrap(next, operation) as Next,
      definition.handler as Next,
    ),
  };
}

/** The same check, which says who it was that refused. */
function noting(check: Check, guard: RefusedBy): Check {
  const refuse = (thrown: unknown): never => {
    noteRefusal(thrown, guard);
    throw thrown;
  };
  return (ctx, input) => {
    try {
      const checked = check(ctx, input);
      return isPromise(checked) ? checked.then(undefined, refuse) : checked;
    } catch (thrown) {
      return refuse(thrown);
    }
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
