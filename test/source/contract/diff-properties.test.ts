import fc from 'fast-check';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { compareSchemas } from '../../../source/contract/schemas/compare-schemas.ts';
import { toApiSchema } from '../../../source/document/branch.ts';
import { accepts } from '../../../source/document/read-branches.ts';
import { jsonValue } from '../document/arbitraries.ts';
import { schemaPair } from './schema-pairs.ts';

const values = fc.array(jsonValue, { minLength: 20, maxLength: 30 });

/** Whether a value fits the one schema and not the other. */
function isMisfit(value: unknown, fits: object, fitsNot: object): boolean {
  return accepts(toApiSchema(fits), value) && !accepts(toApiSchema(fitsNot), value);
}

test('where an input is refused that was taken, some change is not safe', () => {
  fc.assert(
    fc.property(schemaPair, values, (schemas, samples) => {
      // Without fields of which nothing was said: that a field is added which they may leave out is safe for all who did not send one.
      const [before, after] = schemas.map((schema) => z.toJSONSchema(schema, { io: 'output' })) as [
        object,
        object,
      ];
      const misfit = samples.find((value) => isMisfit(value, before, after));
      if (misfit === undefined) return;
      const classes = compareSchemas(toApiSchema(before), toApiSchema(after), {
        at: 'input',
        direction: 'input',
      }).map((change) => change.class);
      expect(
        classes.filter((each) => each !== 'safe'),
        JSON.stringify({ misfit, before, after }),
      ).not.toEqual([]);
    }),
    { numRuns: 2000 },
  );
});

test('where an output is given that was not promised, some change is not safe', () => {
  fc.assert(
    fc.property(schemaPair, values, ([old, now], samples) => {
      const [before, after] = [z.toJSONSchema(old), z.toJSONSchema(now)];
      // Readers pass over fields that they do not know.
      const promised = z.toJSONSchema(old, { io: 'input' });
      const misfit = samples.find((value) => isMisfit(value, after, promised));
      if (misfit === undefined) return;
      const classes = compareSchemas(toApiSchema(before), toApiSchema(after), {
        at: 'output',
        direction: 'output',
      }).map((change) => change.class);
      expect(
        classes.filter((each) => each !== 'safe'),
        JSON.stringify({ misfit, before, after }),
      ).not.toEqual([]);
    }),
    { numRuns: 2000 },
  );
});
