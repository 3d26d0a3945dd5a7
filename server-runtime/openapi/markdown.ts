/** A table of cells that are Markdown already. Nothing without rows. */
export function toTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const toLine = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return rows.length === 0 ? '' : [head, head.map(() => '---'), ...rows].map(toLine).join('\n');
}

/** Code, which stays as it is, or a mark that could become HTML: a fenced block, a span, `&` or `<`. */
const fencedBlock = /(?:^|\n) {0,3}(`{3,}|~{3,})[^\n]*(?:\n[\s\S]*?)??(?:\n {0,3}\1[^\n]*(?=\n|$)|$)/;
const codeSpan = /(?<![\\`])(?<ticks>`+)(?!`)(?:(?!\n\s*\n)[\s\S])+?(?<!`)\k<ticks>(?!`)/;
const codeOrMark = new RegExp(`${fencedBlock.source}|${codeSpan.source}|[&<]`, 'g');

/** Foreign text in a paragraph of Markdown: it reads as written, and becomes neither HTML nor a block of code. */
export function toMarkdown(text: string): string {
  const marks: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;' };
  return closeFence(text.trim()).replace(codeOrMark, (found) => marks[found] ?? found);
}

/** A block of code that nobody ended would reach to the end of the page. */
function closeFence(text: string): string {
  let open: string | undefined;
  for (const line of text.split('\n')) {
    const [, fence = '', rest = ''] = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line) ?? [];
    if (open === undefined) open = fence === '' || (fence.startsWith('`') && rest.includes('`')) ? undefined : fence;
    else if (fence.startsWith(open) && rest.trim() === '') open = undefined;
  }
  return open === undefined ? text : `${text}\n${open}`;
}

/** Foreign text in a cell of a table. A bar that is escaped already stays so. */
export function toTableCell(text: string): string {
  return toMarkdown(text)
    .replace(/(\\*)\|/g, (bar, { length }: string) => (length % 2 === 1 ? bar : `${'\\'.repeat(length)}\\|`))
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
  const longest = Math.max(least, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  return '`'.repeat(longest + 1);
}

/** The anchor that Markdown viewers give a heading: lower case, blanks as hyphens, other marks gone. */
export function toAnchor(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-');
}
