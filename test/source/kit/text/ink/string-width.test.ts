import * as fc from 'fast-check';
import stringWidth from 'string-width';
import { expect, test } from 'vitest';
import rememberedWidth from '../../../../../source/kit/text/ink/string-width.ts';

const piece = fc.oneof(
  fc.string({ unit: 'grapheme-ascii' }),
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom(
    '│',
    '…',
    '─',
    '❯ ',
    '┃',
    '\u001B[1m',
    '\u001B[38;5;9m',
    '\u001B[39m',
    '日本',
    '👩‍👩‍👧',
    'e\u0301',
    '\u001B',
    '\t',
  ),
);

test('a width is what string-width says, also the second time', () => {
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      const text = pieces.join('');
      expect([rememberedWidth(text), rememberedWidth(text)]).toEqual([stringWidth(text), stringWidth(text)]);
    }),
    { numRuns: 1000 },
  );
});

test('each character but those of CJK is as wide as string-width says, beside others too', () => {
  const units = Array.from({ length: 0x30_00 }, (_, code) => String.fromCharCode(code));
  const texts = units.flatMap((unit) => [unit, `─${unit}→`]);
  expect(texts.filter((text) => rememberedWidth(text) !== stringWidth(text))).toEqual([]);
});
