/**
 * The tables in "Size" of `docs/internals/architecture.md`: `npm run size` writes them, and a test compares their
 * limits.
 */
import { readFileSync, writeFileSync } from 'node:fs';

const page = new URL('../../docs/internals/architecture.md', import.meta.url);

/** The rows of a table: a label, and the last cell, which people write; undefined where it is not a number. */
export function readLimits(title) {
  return findTable(title).rows.map((row) => {
    const cells = toCells(row);
    const limit = Number(cells.at(-1).replaceAll(',', ''));
    return { label: cells[0], limit: Number.isNaN(limit) ? undefined : limit };
  });
}

/** Writes all rows of a table, each a list of cells. */
export function writeRows(title, rows) {
  const { text, start, end } = findTable(title);
  const lines = rows.map((cells) => `| ${cells.map(toCell).join(' | ')} |`);
  writeFileSync(page, text.slice(0, start) + lines.join('\n') + text.slice(end));
}

function findTable(title) {
  const text = readFileSync(page, 'utf8');
  const section = text.indexOf(`\n### ${title}\n`);
  const head = text.indexOf('\n|---', section);
  if (section === -1 || head === -1) throw new Error(`The page has no table "${title}".`);
  const start = text.indexOf('\n', head + 1) + 1;
  const end = text.indexOf('\n\n', start);
  return { text, start, end, rows: text.slice(start, end).split('\n') };
}

function toCells(line) {
  return line.slice('| '.length, -' |'.length).split(' | ');
}

function toCell(value) {
  return typeof value === 'number' ? value.toLocaleString('en') : value;
}
