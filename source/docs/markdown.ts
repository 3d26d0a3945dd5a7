/** Foreign text in a paragraph of Markdown: it reads as it was written, and cannot become HTML. */
export function toMarkdown(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').trim();
}

/** Foreign text in a cell of a table. */
export function toTableCell(text: string): string {
  return toMarkdown(text)
    .replaceAll('|', '\\|')
    .replace(/\s*\n\s*/g, ' ');
}

/** Text as code, also where it has backticks; `''` for none. In a table the bars need their escape all the same. */
export function toCode(text: string, { isCell = false }: { readonly isCell?: boolean } = {}): string {
  if (text === '') return '';
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  const space = longest > 0 ? ' ' : '';
  const shown = text.replace(/\s*\n\s*/g, ' ');
  return `${fence}${space}${isCell ? shown.replaceAll('|', '\\|') : shown}${space}${fence}`;
}

/** A table; nothing without rows. */
export function toTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return '';
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** The anchor that Markdown viewers give a heading: lower case, blanks as hyphens, other marks gone. */
export function toAnchor(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-');
}
