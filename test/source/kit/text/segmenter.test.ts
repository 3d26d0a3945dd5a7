import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { isUnjoined, segmenter } from '../../../../source/kit/text/segmenter.ts';

const piece = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.integer({ min: 0, max: 0xff_ff }).map((code) => String.fromCharCode(code)),
  fc.constantFrom('\r\n', '❯ ', '\u001B[1m', '日本', '👩‍👩‍👧', 'e\u0301', '⌚\uFE0F', '↔\u200D', '가', 'ก็'),
);

test('a text is divided as the platform divides it', () => {
  const platform = new Intl.Segmenter();
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 4 }), fc.nat({ max: 8 }), (pieces, index) => {
      const text = pieces.join('');
      const [ours, theirs] = [segmenter.segment(text), platform.segment(text)];
      expect([...ours]).toEqual([...theirs]);
      expect(ours.containing(index)).toEqual(theirs.containing(index));
    }),
    { numRuns: 3000 },
  );
});

test('each code unit that is told apart by itself is one beside any other', () => {
  const units = Array.from({ length: 0x1_00_00 }, (_, code) => String.fromCharCode(code));
  const text = units.filter(isUnjoined).join('');
  expect(text.length).toBeGreaterThan(30_000);
  expect(Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment).join('\0')).toBe(
    text.split('').join('\0'),
  );
});
