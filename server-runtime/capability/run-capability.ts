import { andThen, type MaybePromise, type Outcome } from '../errors/outcome.ts';
import { toValidator, type Validator } from '../schema/validate-input.ts';
import type { CapabilityDefinition } from './definition.ts';
import type { EnhancedOperation, Next } from './enhancer.ts';

/** A capability made ready to run: everything that can be computed once is. */
export interface CapabilitySteps {
  readonly guards: readonly Check[];
  readonly validate: Validator;
  readonly inputGuards: readonly InputCheck[];
  /** The handler inside its enhancers. */
  readonly handle: Next;
}

/** Gives the raw input once the guards have passed, so that nobody reads or parses for a caller who is refused. */
export interface InputSource {
  readInput(): MaybePromise<Outcome>;
}

type Check = (ctx: unknown) => MaybePromise<void>;
type InputCheck = (input: unknown, ctx: unknown) => MaybePromise<void>;

/**
 * One call of one capability: guards, input, validation, input guards, enhancers and handler. In the same turn where
 * every step is synchronous. What guards, enhancers and handler throw passes through.
 */
export function runCapability(steps: CapabilitySteps, ctx: unknown, source: InputSource): MaybePromise<Outcome> {
  return andThen(checkGuards(steps.guards, ctx), () =>
    andThen(source.readInput(), (raw) => {
      if (!raw.ok) return raw;
      return andThen(steps.validate(raw.value), (valid) => {
        if (!valid.ok) return valid;
        return andThen(checkInputGuards(steps.inputGuards, valid.value, ctx), () =>
          andThen(steps.handle(valid.value, ctx), toOutcome),
        );
      });
    }),
  );
}

export function toCapabilitySteps(definition: CapabilityDefinition, operation: EnhancedOperation): CapabilitySteps {
  return {
    guards: definition.guards.map((guard) => guard.check as Check),
    validate: toValidator(definition.schema),
    inputGuards: definition.inputGuards.map((guard) => guard.check as InputCheck),
    handle: definition.enhancers.reduceRight<Next>(
      (next, enhancer) => enhancer.wrap(next, operation),
      definition.handler as Next,
    ),
  };
}

function checkGuards(guards: readonly Check[], ctx: unknown, from = 0): MaybePromise<void> {
  for (let index = from; index < guards.length; index++) {
    const checked = guards[index]?.(ctx);
    if (checked !== undefined) return andThen(checked, () => checkGuards(guards, ctx, index + 1));
  }
}

function checkInputGuards(guards: readonly InputCheck[], input: unknown, ctx: unknown, from = 0): MaybePromise<void> {
  for (let index = from; index < guards.length; index++) {
    const checked = guards[index]?.(input, ctx);
    if (checked !== undefined) return andThen(checked, () => checkInputGuards(guards, input, ctx, index + 1));
  }
}

function toOutcome(value: unknown): Outcome {
  return { ok: true, value };
}
