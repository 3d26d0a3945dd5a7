/** A table of cells that are Markdown already. Nothing without rows. */
export function toTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
  return rows.length === 0 ? '' : lines.join('\n');
}

/** A block or a span of code, or a mark that could become HTML. */
const codeOrMark = /(`{3,})[^]*?\1|(?<![\\`])(`+)(?!`)(?:(?!\n\s*\n)[^])+?(?<!`)\2(?!`)|[&<]/g;

/** Foreign text in a paragraph of Markdown: it reads as written, and does not become HTML. Code stays as it is. */
export function toMarkdown(text: string): string {
  return text
    .trim()
    .replace(codeOrMark, (found) => found.replace(/^&$/, '&amp;').replace(/^<$/, '&lt;'));
}

/** Foreign text in a cell of a table. A bar that is escaped already stays so. */
export function toTableCell(text: string): string {
  return toMarkdown(text)
    .replace(/(\\*)\|/g, (bar, { length }: string) =>
      length % 2 === 1 ? bar : `${'\\'.repeat(length)}\\|`,
    )
    .replace(/\s*\n\s*/g, ' ');
}

/** Text as code, also where it has backticks; `''` for none. */
export function toCode(text: string): string {
  if (text === '') return '';
  const fence = toFence(text, 0);
  const space = fence.length > 1 ? ' ' : '';
  return `${fence}${space}${text.replace(/\s*\n\s*/g, ' ')}${space}${fence}`;
}

/** Text as code in a cell of a table, where even the bars in code need their escape. */
export function toCodeCell(text: string): string {
  return toCode(text).replace(/(\\*)\|/g, '$1$1\\|');
}

/** A block of code that its text cannot end. */
export function toBlock(text: string, language: string): string {
  const fence = toFence(text, 2);
  return `${fence}${language}\n${text}\n${fence}`;
}

/** More backticks than the text has in a row, and more than `least`. */
function toFence(text: string, least: number): string {
  return '`'.repeat(
    1 + Math.max(least, ...Array.from(text.matchAll(/`+/g), ([ticks]) => ticks.length)),
  );
}

/** The anchor that Markdown viewers give a heading: lower case, blanks as hyphens, without other marks. */
export function toAnchor(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');
}
