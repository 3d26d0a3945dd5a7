import { describe, expect, it } from 'vitest';
import { toCodeCell, toMarkdown, toTableCell } from '../../../../source/written/docs/markdown.ts';

describe('foreign text in Markdown', () => {
  it.each([
    ['a < b & <script>', 'a &lt; b &amp; &lt;script>'],
    ['Answers with `Array<string>` & more', 'Answers with `Array<string>` &amp; more'],
    ['``a`<b>`` <i>', '``a`<b>`` &lt;i>'],
    ['one ` tick <b>\n\nand another ` tick', 'one ` tick &lt;b>\n\nand another ` tick'],
    ['\\`<b>` no code', '\\`&lt;b>` no code'],
    ['```ts\nMap<string, 1>\n```\n<b>', '```ts\nMap<string, 1>\n```\n&lt;b>'],
  ])('keeps the code of %j and no HTML', (text, expected) => {
    expect(toMarkdown(text)).toBe(expected);
  });

  it.each([
    ['a | b', 'a \\| b'],
    ['a \\| b', 'a \\| b'],
    ['a \\\\| b', 'a \\\\\\| b'],
    ['one\n  two', 'one two'],
  ])('leaves the row of %j whole', (text, expected) => {
    expect(toTableCell(text)).toBe(expected);
  });

  it('leaves the row of code whole', () => {
    expect(toCodeCell('a | b')).toBe('`a \\| b`');
    expect(toCodeCell('a \\| b')).toBe('`a \\\\\\| b`');
  });
});
