import { expect, it } from 'vitest';
import { toFrameLines, toLineText } from '../../../../source/kit/line.ts';
import { toCodeFrame } from '../../../../source/manifest/code-frame.ts';

const code = `short\n${'a'.repeat(60)}(oops)\nend`;

function toTexts(text: string, place: { readonly line: number; readonly column: number }, columns: number) {
  return toFrameLines(toCodeFrame({ text, ...place }), columns).map(toLineText);
}

it('shows a frame as it is where its mark is in the window', () => {
  expect(toTexts(code, { line: 2, column: 3 }, 40)).toEqual([
    '    1 | short',
    `  > 2 | ${'a'.repeat(60)}(oops)`,
    '      |   ^',
    '    3 | end',
  ]);
});

it('begins further to the right where the mark would be outside of the window, all lines alike', () => {
  expect(toTexts(code, { line: 2, column: 61 }, 40)).toEqual([
    '    1 |',
    `  > 2 |…${'a'.repeat(15)}(oops)`,
    `      |${' '.repeat(16)}^`,
    '    3 |',
  ]);
});

it('keeps the mark below its code where wide characters are cut', () => {
  const [, line = '', mark = ''] = toTexts(`\n${'日'.repeat(30)}(oops)`, { line: 2, column: 31 }, 40);
  expect(line).toMatch(/^ {2}> 2 \|… ?日+\(oops\)$/);
  expect(mark.indexOf('^') - line.indexOf('|')).toBe(
    2 * (line.match(/日/g) ?? []).length + line.indexOf('日') - line.indexOf('|'),
  );
});
