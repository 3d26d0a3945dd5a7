import fc from 'fast-check';
import { z } from 'zod';
import { createEnhancer } from '../../server-runtime/capability/enhancer.ts';
import {
  type AnyCapability,
  capability,
  defaultErrors,
  defineGuard,
  defineInputGuard,
} from '../../server-runtime/index.ts';
import type { CallPlan, Step } from './reference-pipeline.ts';

const timing = fc.constantFrom('now' as const, 'later' as const);
const step: fc.Arbitrary<Step> = fc.record({
  timing,
  end: fc.oneof(
    { weight: 8, arbitrary: fc.constant('passes' as const) },
    { weight: 1, arbitrary: fc.constantFrom('refuses' as const, 'breaks' as const) },
  ),
});
const steps = fc.array(step, { maxLength: 3 });
/** A call whose steps pass, refuse or break, now or later. */
export const plan: fc.Arbitrary<CallPlan> = fc.record({
  context: step,
  extensions: fc.array(step, { minLength: 2, maxLength: 2 }),
  guards: steps,
  schema: step,
  inputGuards: steps,
  enhancers: steps,
  handler: step,
});

/** Does what the step says, and writes down that it did. */
export function take<T>(
  trace: string[],
  name: string,
  { timing: when, end }: Step,
  value: T,
): T | Promise<T> {
  trace.push(name);
  const finish = (): T => {
    if (end === 'refuses') throw defaultErrors.Forbidden();
    if (end === 'breaks') throw new Error(`${name} broke`);
    return value;
  };
  return when === 'now' ? finish() : new Promise((resolve) => setImmediate(resolve)).then(finish);
}

function toSchema(trace: string[], { timing: when, end }: Step): z.ZodType {
  const check = (): boolean => {
    if (!trace.includes('schema')) trace.push('schema');
    if (end === 'breaks') throw new Error('the schema broke');
    return end === 'passes';
  };
  return z.object({ n: z.number() }).refine(when === 'now' ? check : async () => check());
}

/** A capability whose steps write down that they ran. */
export function toCapability(plan: CallPlan, trace: string[]): AnyCapability {
  let made = capability(toSchema(trace, plan.schema), (input) =>
    take(trace, 'handler', plan.handler, input),
  );
  for (const [at, each] of plan.guards.entries()) {
    made = made.guard(
      defineGuard<unknown>((): void | Promise<void> => take(trace, `guard ${at}`, each, undefined)),
    );
  }
  for (const [at, each] of plan.inputGuards.entries()) {
    made = made.inputGuard(
      defineInputGuard((): void | Promise<void> =>
        take(trace, `input guard ${at}`, each, undefined),
      ),
    );
  }
  for (const [at, each] of plan.enhancers.entries()) {
    made = made.enhance(
      createEnhancer(
        (next) => (input, ctx) => {
          const passed = take(trace, `enhancer ${at}`, each, undefined);
          return passed === undefined ? next(input, ctx) : passed.then(() => next(input, ctx));
        },
        { name: `enhancer ${at}` },
      ),
    );
  }
  return made;
}
