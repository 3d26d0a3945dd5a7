import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stripControl } from '../../../source/terminal/strip-control.ts';

describe('stripControl', () => {
  it.each([
    ['colour', '\u001B[31mred\u001B[0m', 'red'],
    ['24-bit colour', '\u001B[38;2;1;2;3mred\u001B[m', 'red'],
    ['cursor and erase', 'a\u001B[2J\u001B[3J\u001B[1;1Hb', 'ab'],
    ['the alternate screen', '\u001B[?1049hhidden\u001B[?1049l', 'hidden'],
    ['a title, ended by BEL', '\u001B]0;owned\u0007text', 'text'],
    [
      'a link, ended by ST',
      '\u001B]8;;http://evil.example\u001B\\click\u001B]8;;\u001B\\',
      'click',
    ],
    ['the clipboard', '\u001B]52;c;cm0gLXJm\u0007ok', 'ok'],
    ['a device control string', '\u001BP$q"p\u001B\\ok', 'ok'],
    ['one-byte forms', '\u009B31mred\u009D0;title\u009Cend', 'redend'],
    ['a reset', '\u001Bcfresh', 'fresh'],
    ['an escape in front of a sequence', '\u001B\u001B[31mred', 'red'],
    ['a sequence that never ends', 'before\u001B[31', 'before'],
    ['bell, backspace and delete', 'a\u0007b\u0008c\u007Fd', 'abcd'],
    ['a carriage return that would overwrite', 'safe\revil', 'safe\nevil'],
    ['marks that turn the direction', 'user\u202Egnp.exe\u202C\u2066x\u2069', 'usergnp.exex'],
  ])('takes out %s', (_, text, expected) => {
    expect(stripControl(text)).toBe(expected);
  });

  it.each(['plain', 'two\nlines', 'a\ttab', 'ümläut, 日本語, 👩‍💻', '[31m is only text', ''])(
    'leaves %j as it is',
    (text) => {
      expect(stripControl(text)).toBe(text);
    },
  );

  it('leaves no control character, whatever comes', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        '\u001B',
        '\u001B[',
        '\u001B]',
        '\u009B',
        '\u009D',
        '\u0007',
        '\u001B\\',
        '\r',
        '31m',
        ';',
      ),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        expect(stripControl(pieces.join(''))).not.toMatch(
          /[\u0000-\u0008\u000B-\u001F\u007F-\u009F]/,
        );
      }),
    );
  });

  it('changes nothing the second time', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(stripControl(stripControl(text))).toBe(stripControl(text));
      }),
    );
  });
});
