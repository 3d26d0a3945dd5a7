import { expect, it } from 'vitest';
import { toFrameLines } from '../../../source/kit/line.ts';
import { toCodeFrame } from '../../../source/manifest/code-frame.ts';

it('shows a frame as it is, the place and its mark in front', () => {
  const lines = toFrameLines(toCodeFrame({ text: 'short\n\toops()\nend', line: 2, column: 2 }));
  expect(
    lines.map((line) =>
      line.map(({ text, token }) => `${text}${token === 'muted' ? '' : '!'}`).join(''),
    ),
  ).toEqual(['    1 | short', '  > 2 |!   oops()!', '      |   ^!', '    3 | end']);
});
