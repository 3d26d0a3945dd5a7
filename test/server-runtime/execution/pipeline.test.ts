import fc from 'fast-check';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { createEnhancer } from '../../../server-runtime/capability/enhancer.ts';
import {
  type AnyCapability,
  capability,
  defaultErrors,
  defineContext,
  defineGuard,
  defineInputGuard,
  definePlugin,
} from '../../../server-runtime/index.ts';
import { describeThroughEveryDoor } from '../../helpers/every-door.ts';
import {
  type CallPlan,
  type CallRecord,
  recordByTheContract,
  type Step,
} from '../../helpers/reference-pipeline.ts';
import type { StartRest } from '../../helpers/start-rest.ts';

const timing = fc.constantFrom('now' as const, 'later' as const);
const step: fc.Arbitrary<Step> = fc.record({
  timing,
  end: fc.oneof(
    { weight: 8, arbitrary: fc.constant('passes' as const) },
    { weight: 1, arbitrary: fc.constantFrom('refuses' as const, 'breaks' as const) },
  ),
});
const steps = fc.array(step, { maxLength: 3 });
const plan: fc.Arbitrary<CallPlan> = fc.record({
  context: step,
  extensions: fc.array(step, { minLength: 2, maxLength: 2 }),
  guards: steps,
  schema: step,
  inputGuards: steps,
  enhancers: steps,
  handler: step,
});

/** Does what the step says, and writes down that it did. */
function take<T>(
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

function toCapability(plan: CallPlan, trace: string[]): AnyCapability {
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

async function recordCalls(
  start: StartRest,
  plans: readonly CallPlan[],
): Promise<readonly CallRecord[]> {
  const traces = plans.map((): string[] => []);
  const of = (path: string): number => Number(/\d+$/.exec(path)?.[0]);
  const { request } = await start({
    context: defineContext(({ path }) =>
      take(traces[of(path)]!, 'context', plans[of(path)]!.context, {}),
    ),
    plugins: [0, 1].map((at) =>
      definePlugin({
        context: ({ path }) =>
          take(traces[of(path)]!, `extension ${at}`, plans[of(path)]!.extensions[at]!, {}),
      }),
    ),
    capabilities: Object.fromEntries(
      plans.map((each, at) => [`call${at}`, toCapability(each, traces[at]!)]),
    ),
    rest: {
      overrides: Object.fromEntries(
        plans.map((_, at) => [`call${at}`, { method: 'POST', path: `/call-${at}` }]),
      ),
    },
  });
  return Promise.all(
    plans.map(async (_, at) => {
      const response = await request(`/call-${at}`, {
        method: 'POST',
        body: '{"n":1}',
        headers: { 'content-type': 'application/json' },
      });
      const body = (await response.json()) as { data?: unknown; error?: string };
      if (response.status === 200) expect(body).toEqual({ data: { n: 1 } });
      return { trace: traces[at]!, status: response.status, error: body.error };
    }),
  );
}

const cases = (start: StartRest): void => {
  it('takes the steps of the contract in their order, now or later, and none after one that throws', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(plan, { minLength: 1, maxLength: 12 }), async (plans) => {
        expect(await recordCalls(start, plans)).toEqual(plans.map(recordByTheContract));
      }),
      { numRuns: 40 },
    );
  });
};

describeThroughEveryDoor('the compiled pipeline', cases);
