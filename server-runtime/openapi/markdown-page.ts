import type { Block, Line } from './reference/block.ts';
import { toAnchor, toBlock, toCode, toMarkdown, toTableCell } from './reference/markdown.ts';

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
