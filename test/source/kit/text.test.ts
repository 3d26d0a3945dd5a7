import fc from 'fast-check';
import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import { fitLine, markWords, toCell, toLineText } from '../../../source/kit/line.ts';
import {
  cutLong,
  cutText,
  fitText,
  textWidth,
  toCharacters,
  wrapText,
} from '../../../source/kit/text.ts';
import {
  editText,
  type TextFieldAction,
  toTextField,
  toTextKeys,
  typeText,
} from '../../../source/kit/text-field-state.ts';

const anyText = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string(),
  fc.constantFrom('日本語のテキスト', '👩‍👩‍👧 family 🎉', 'naïve', 'e\u0301'),
);

describe('widths', () => {
  it.each([
    ['abc', 3],
    ['日本', 4],
    ['🎉', 2],
    ['👩‍👩‍👧', 2],
    ['e\u0301', 1],
  ])('%s takes %i columns', (text, width) => expect(textWidth(text)).toBe(width));

  it('takes a column for each sign of a bar or a frame, as the package says that measures any text', () => {
    const signs = Array.from({ length: 0x25_fc - 0x25_00 + 1 }, (_, at) => 0x25_00 + at)
      .concat(0xd7, 0x20_22, 0x20_26, 0x27_6f)
      .map((code) => String.fromCodePoint(code));
    expect(signs.filter((sign) => stringWidth(sign) !== 1)).toEqual([]);
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...signs, 'a', ' ', '日', '\uFE0F', 'e\u0301')),
        (parts) => {
          const text = parts.join('');
          expect(textWidth(text)).toBe(stringWidth(text));
        },
      ),
    );
  });

  it('cuts and fills to the column, never through a character', () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 1, max: 20 }), (text, width) => {
        expect(textWidth(cutText(text, width))).toBeLessThanOrEqual(width);
        const fitted = fitText(text.replace(/\p{C}/gu, ''), width);
        expect(textWidth(fitted)).toBe(width);
      }),
    );
  });

  it('wraps to the width and loses no word', () => {
    fc.assert(
      fc.property(
        fc.array(fc.stringMatching(/^[a-z]{1,12}$/)),
        fc.integer({ min: 4, max: 30 }),
        (words, width) => {
          const lines = wrapText(words.join(' '), width);
          expect(Math.max(...lines.map(textWidth))).toBeLessThanOrEqual(width);
          expect(lines.join('').replaceAll(' ', '')).toBe(words.join(''));
        },
      ),
    );
  });
});

describe('lines', () => {
  it('are exactly as wide as their place, and free of control characters', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: 'grapheme' })),
        fc.integer({ min: 1, max: 40 }),
        (texts, width) => {
          const line = fitLine(
            texts.map((text) => ({ text: `\u001B[31m${text}\n` })),
            width,
          );
          const shown = line.map(({ text }) => text).join('');
          expect(textWidth(shown)).toBe(width);
          expect(shown).not.toMatch(/[\u001B\n]/);
        },
      ),
    );
  });

  it('mark the words of a filter, and no other letters', () => {
    expect(
      markWords([{ text: 'a.getItem', token: 'title' }, { text: ' GET /items' }], ['item', '.g']),
    ).toEqual([
      { text: 'a', token: 'title' },
      { text: '.g', token: 'match' },
      { text: 'et', token: 'title' },
      { text: 'Item', token: 'match' },
      { text: '', token: 'title' },
      { text: ' GET /', token: undefined },
      { text: 'item', token: 'match' },
      { text: 's', token: undefined },
    ]);
    expect(toLineText(toCell('getItem', { width: 4 }))).toBe('get…');
  });
});

describe('a text field', () => {
  it.each<[string, TextFieldAction, string, number]>([
    ['deletes a whole emoji', 'backspace', 'ab', 2],
    ['deletes a word', 'deleteWord', '', 0],
    ['goes to the start', 'start', 'ab🎉', 0],
    ['deletes the line', 'deleteLine', '', 0],
    ['deletes nothing after the end', 'deleteRest', 'ab🎉', 3],
    ['goes left', 'left', 'ab🎉', 2],
  ])('%s', (_, action, text, cursor) => {
    expect(editText(toTextField('ab🎉'), action)).toMatchObject({ text, cursor });
  });

  it('keeps what is pasted on one line', () => {
    expect(typeText(toTextField('a'), 'b\r\n  c')).toMatchObject({ text: 'ab c', cursor: 4 });
  });

  it('never leaves its text, whatever is done', () => {
    const steps = fc.array(
      fc.oneof(
        fc.constantFrom(...(Object.keys(toTextKeys(() => {})) as TextFieldAction[])),
        fc.string({ unit: 'grapheme' }).map((text) => ({ text })),
      ),
    );
    fc.assert(
      fc.property(steps, (done) => {
        let state = toTextField('');
        for (const step of done)
          state = typeof step === 'string' ? editText(state, step) : typeText(state, step.text);
        expect(state.cursor).toBeGreaterThanOrEqual(0);
        expect(state.cursor).toBeLessThanOrEqual(toCharacters(state.text).length);
      }),
    );
  });
});

it('counts characters as a person does, whatever the script', () => {
  const ranges = [
    [0x20, 0x5ff],
    [0x2000, 0x206f],
    [0x3000, 0x30ff],
    [0x4e00, 0x4e10],
    [0xabf0, 0xac10],
    [0x1100, 0x1112],
    [0xff00, 0xffa0],
    [0x1f468, 0x1f46a],
  ] as const;
  const character = fc
    .oneof(...ranges.map(([min, max]) => fc.integer({ min, max })))
    .map((code) => String.fromCodePoint(code));
  const segmenter = new Intl.Segmenter();
  fc.assert(
    fc.property(fc.array(character, { maxLength: 8 }), (characters) => {
      const text = characters.join('');
      expect(toCharacters(text)).toEqual(
        Array.from(segmenter.segment(text), ({ segment }) => segment),
      );
    }),
    { numRuns: 2_000 },
  );
});

it('cuts a very long text, and no character in two', () => {
  expect(cutLong('abc', 5)).toBe('abc');
  expect(cutLong('ab\u{1F600}cd', 3)).toBe('ab');
  expect(cutLong('ab\u{1F600}cd', 4)).toBe('ab\u{1F600}');
});
