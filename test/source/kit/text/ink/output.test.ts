import * as fc from 'fast-check';
import { expect, test } from 'vitest';
// Its package exports no such part.
import InkOutput from '../../../../../node_modules/ink/build/output.js';
import Output from '../../../../../source/kit/text/ink/output.ts';

const piece = fc.oneof(
  fc.string({ unit: fc.constantFrom(...'abc '), maxLength: 8 }),
  fc.constantFrom('│', '…', '日本', '👩‍👩‍👧', 'e\u0301', '\n', '\u001B[1mbold\u001B[22m', '\u001B[31mred\u001B[39m'),
);

const write = fc.record({
  kind: fc.constant('write' as const),
  x: fc.integer({ min: 0, max: 14 }),
  y: fc.integer({ min: 0, max: 5 }),
  text: fc.array(piece, { maxLength: 5 }).map((pieces) => pieces.join('')),
  isStyled: fc.boolean(),
});
const clip = fc
  .tuple(fc.integer({ min: 0, max: 5 }), fc.integer({ min: 0, max: 5 }))
  .map(([y1, rows]) => ({ kind: 'clip' as const, y1, y2: y1 + rows }));

const step = fc.oneof({ weight: 5, arbitrary: write }, clip, fc.constant({ kind: 'unclip' as const }));

type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

function draw(Kind: typeof Output, steps: readonly Step[]) {
  const output = new Kind({ width: 16, height: 5 });
  for (const one of steps) {
    if (one.kind === 'clip') output.clip({ x1: undefined, x2: undefined, y1: one.y1, y2: one.y2 });
    else if (one.kind === 'unclip') output.unclip();
    else
      output.write(one.x, one.y, one.text, {
        transformers: one.isStyled ? [(line) => `\u001B[7m${line}\u001B[27m`] : [],
      });
  }
  return output.get();
}

test('a frame is the one that Ink draws, also where its rows were drawn before', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
      const expected = draw(InkOutput as unknown as typeof Output, steps);
      expect([draw(Output, steps), draw(Output, steps)]).toEqual([expected, expected]);
    }),
    { numRuns: 2000 },
  );
});

test('what is clipped at its sides is not drawn', () => {
  const output = new Output({ width: 10, height: 1 });
  output.clip({ x1: 2, x2: 5, y1: undefined, y2: undefined });
  output.write(0, 0, 'abcdefgh', { transformers: [] });
  expect(output.get()).toEqual({ output: '  cde', height: 1 });
});
