import { expect, it } from 'vitest';
import { parseBackground, parseColorPair } from '../../../../source/terminal/control/ask-background.ts';

it.each([
  ['xterm', '\u001B]11;rgb:ffff/ffff/dddd\u001B\\', { isLight: true, color: [255, 255, 221] }],
  ['a terminal of two digits', '\u001B]11;rgb:1e/1e/2e\u0007', { isLight: false, color: [30, 30, 46] }],
  [
    'a terminal with transparency',
    'typed\u001B]11;rgba:0000/2b2b/3636/ffff\u0007',
    { isLight: false, color: [0, 43, 54] },
  ],
  ['a terminal that answers something else', '\u001B[?62;22c', undefined],
])('reads what %s says of its background', (_, answer, background) => {
  expect(parseBackground(answer)).toEqual(background);
});

it.each([
  ['0;15', { isLight: true }],
  ['0;default;7', { isLight: true }],
  ['15;0', { isLight: false }],
  ['7;8', { isLight: false }],
  ['12', undefined],
  ['', undefined],
])('reads %j, the numbers of the text and of its background', (pair, background) => {
  expect(parseColorPair(pair)).toEqual(background);
});
