/** What the tests compare, load and call wrongly, for builds that run it as programs. */
import fc from 'fast-check';
import * as z from 'zod';
import { capability } from '../../server-runtime/index.ts';
import { generatePrograms } from '../helpers/module-graphs.ts';
import { capabilityEdits } from '../source/contract/edits/capability-edits.ts';
import { schemaEdits } from '../source/contract/edits/schema-edits.ts';
import { schemaPair } from '../source/contract/schema-pairs.ts';

export { Order, wrongCalls } from '../server-runtime/mcp/wrong-calls.ts';

/** Programs of a few modules, of which an entry runs all. */
export function toPrograms(count: number) {
  return generatePrograms(count);
}

type Side = 0 | 1;

/** Every edit that the tests have, and random ones, as groups: what the one side of `diff` has. */
export function toGroups(side: Side): Readonly<Record<string, object>> {
  const pairs = [
    ...schemaEdits.map(([, before, after]) => [before, after] as const),
    ...fc.sample(schemaPair, { seed: 7, numRuns: 200 }),
  ];
  const ofSchemas = pairs.map((pair, index) => [`schema${index}`, toSchemaGroup(pair[side])]);
  const ofCapabilities = capabilityEdits.flatMap(({ before, after, restOptions }, index) =>
    restOptions === undefined ? [[`edit${index}`, [before, after][side]]] : [],
  );
  return Object.fromEntries([...ofSchemas, ...ofCapabilities]);
}

function toSchemaGroup(schema: z.ZodType | undefined) {
  const field = schema ?? z.undefined();
  return {
    createTaken:
      schema instanceof z.ZodObject
        ? capability(schema, () => 1)
        : capability(z.object({ field }), () => 1),
    listGiven: Reflect.apply(
      capability(() => 1).output,
      capability(() => 1),
      [schema ?? z.any()],
    ),
  };
}

/** Edits that the options of the server are a part of: each is a pair of its own. */
export const serverEdits = capabilityEdits.flatMap(({ before, after, restOptions }, index) =>
  restOptions === undefined ? [] : [{ index, sides: [before, after], restOptions }],
);
