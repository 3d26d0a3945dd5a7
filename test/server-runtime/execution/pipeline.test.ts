import fc from 'fast-check';
import { expect, it } from 'vitest';
import { defineContext, definePlugin } from '../../../server-runtime/index.ts';
import { describeThroughEveryDoor } from '../../helpers/every-door.ts';
import { plan, take, toCapability } from '../../helpers/random-pipeline.ts';
import {
  type CallPlan,
  type CallRecord,
  recordByTheContract,
} from '../../helpers/reference-pipeline.ts';
import type { StartRest } from '../../helpers/start-rest.ts';

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

describeThroughEveryDoor('the compiled pipeline', (start) => {
  it('takes the steps of the contract in their order, now or later, and none after one that throws', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(plan, { minLength: 1, maxLength: 12 }), async (plans) => {
        expect(await recordCalls(start, plans)).toEqual(plans.map(recordByTheContract));
      }),
      { numRuns: 40 },
    );
  });
});
