import type { Block, Line } from './schema-words.ts';

/** The page as Markdown. */
export function toMarkdownPage(blocks: readonly Block[]): string {
  return blocks
    .map(toText)
    .filter((text) => text !== '')
    .join('\n\n');
}

function toText(block: Block): string {
  switch (block.kind) {
    case 'heading':
      return `${'#'.repeat(block.level)} ${toMarkdown(block.text)}`;
    case 'foreign':
      return toMarkdown(block.text);
    case 'text':
      return toLineText(block.line);
    case 'code':
      return toBlock(block.text, block.language);
    case 'table':
      return toTable(block);
  }
}

function toLineText(line: Line, { isCell = false }: { readonly isCell?: boolean } = {}): string {
  const toSpan = (span: Line[number]): string => {
    if (typeof span === 'string') {
      const [, before = '', text = '', after = ''] = /^(\s*)([^]*?)(\s*)$/.exec(span) ?? [];
      return `${before}${isCell ? toTableCell(text) : toMarkdown(text)}${after}`;
    }
    if ('link' in span) return `[${span.link}](#${toAnchor(span.link)})`;
    return 'strong' in span ? `**${span.strong}**` : toCode(span.code, { isCell });
  };
  return line.map(toSpan).join('');
}

/** Nothing without rows. */
function toTable({ head, rows }: Extract<Block, { kind: 'table' }>): string {
  if (rows.length === 0) return '';
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const cells = rows.map((row) => line(row.map((cell) => toLineText(cell, { isCell: true }))));
  return [line(head), line(head.map(() => '---')), ...cells].join('\n');
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

/** Text as code, also where it has backticks; `''` for none. In a table the bars need their escape all the same. */
export function toCode(text: string, { isCell = false }: { readonly isCell?: boolean } = {}): string {
  if (text === '') return '';
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  const space = longest > 0 ? ' ' : '';
  const shown = text.replace(/\s*\n\s*/g, ' ');
  return `${fence}${space}${isCell ? shown.replace(/(\\*)\|/g, '$1$1\\|') : shown}${space}${fence}`;
}

/** A block of code that its text cannot end. */
export function toBlock(text: string, language: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}

/** The anchor that Markdown viewers give a heading: lower case, blanks as hyphens, other marks gone. */
export function toAnchor(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-');
}
