import fc from 'fast-check';
import { expect, it } from 'vitest';
import { defineContext, definePlugin } from '../../../server-runtime/index.ts';
import { plan, take, toCapability } from '../../helpers/random-pipeline.ts';
import {
  type CallPlan,
  type CallRecord,
  recordByTheContract,
} from '../../helpers/reference-pipeline.ts';
import { startGraphql } from '../../helpers/start-graphql.ts';

/** Asks for each capability in a request of its own, whose context is found by a header. */
async function recordFields(plans: readonly CallPlan[]): Promise<readonly CallRecord[]> {
  const traces = plans.map((): string[] => []);
  const traceOf = (at: unknown): string[] => traces[Number(at)] ?? [];
  const planOf = (at: unknown): CallPlan => plans[Number(at)] as CallPlan;
  const { ask, server } = await startGraphql({
    context: defineContext(({ headers: { 'x-at': at } }) =>
      take(traceOf(at), 'context', planOf(at).context, {}),
    ),
    plugins: [0, 1].map((index) =>
      definePlugin({
        context: ({ headers: { 'x-at': at } }) => {
          const step = planOf(at).extensions[index] as CallPlan['context'];
          return take(traceOf(at), `extension ${index}`, step, {});
        },
      }),
    ),
    capabilities: Object.fromEntries(
      plans.map((each, at) => [`call${at}`, toCapability(each, traceOf(at))]),
    ),
  });
  const records = await Promise.all(
    plans.map(async (_, at): Promise<CallRecord> => {
      const headers = { 'x-at': String(at) };
      const field = `call${at}`;
      const { data, errors } = await ask(`mutation { ${field}(input: { n: 1 }) }`, {}, { headers });
      const extensions = errors?.[0]?.extensions;
      expect(data).toEqual({ [field]: errors === undefined ? { n: 1 } : null });
      return { trace: traceOf(at), status: extensions?.status ?? 200, error: extensions?.code };
    }),
  );
  await server.stop({ graceMs: 0 });
  return records;
}

it('a field takes the steps of the contract in their order, now or later, and none after one that throws', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(plan, { minLength: 1, maxLength: 12 }), async (plans) => {
      expect(await recordFields(plans)).toEqual(plans.map(recordByTheContract));
    }),
    { numRuns: 15 },
  );
});
