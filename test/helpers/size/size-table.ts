import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../run-capix.ts';

/** A row of a table in "Size" of `docs/internals/architecture.md`. Its last cell is the goal, which people write. */
export interface SizeRow {
  readonly label: string;
  readonly figures: readonly number[];
}

/** What a row is now. `least`: what fails where it is above the table, if that is less than what is written into it. */
export interface Measured {
  readonly figures: readonly number[];
  readonly least?: readonly number[];
}

export type Measure = (row: SizeRow) => Measured;

const page = join(packageRoot, 'docs', 'internals', 'architecture.md');

export function readRows(title: string): readonly SizeRow[] {
  return findLines(title).map(toRow);
}

/** The rows that have grown, as `files: 1,214 → 1,216`. */
export function findRises(title: string, measure: Measure): readonly string[] {
  return readRows(title).flatMap((row) => {
    const { figures, least = figures } = measure(row);
    const isRise = least.some((figure, column) => figure > (row.figures[column] ?? 0));
    return isRise ? [`${row.label}: ${toText(row.figures)} → ${toText(figures)}`] : [];
  });
}

/** Writes lower figures into a table, and rows that have grown where there is a reason, which becomes a line of "Rises". */
export function writeRows(title: string, measure: Measure, reason: string): void {
  const rises = reason === '' ? [] : findRises(title, measure);
  let text = readFileSync(page, 'utf8');
  for (const line of findLines(title)) {
    const row = toRow(line);
    const { figures } = measure(row);
    const mayRise = rises.some((rise) => rise.startsWith(`${row.label}: `));
    const wanted = figures.map((figure, column) =>
      mayRise ? figure : Math.min(figure, row.figures[column] ?? 0),
    );
    text = text.replace(
      line,
      `| ${[row.label, ...wanted.map(format), toCells(line).at(-1)].join(' | ')} |`,
    );
  }
  const lines = rises.map((rise) => `- ${reason}: ${rise}\n`).join('');
  writeFileSync(
    page,
    text.replace(/(?<=\n### Rises\n\n.*\n\n)/, () => lines),
  );
}

function findLines(title: string): readonly string[] {
  const [, section = ''] = readFileSync(page, 'utf8').split(`\n### ${title}\n`);
  const [table = ''] = /^\|[^]*?(?=\n\n)/m.exec(section) ?? [];
  return table.split('\n').slice(2);
}

function toRow(line: string): SizeRow {
  const [label = '', ...cells] = toCells(line);
  return { label, figures: cells.slice(0, -1).map((cell) => Number(cell.replaceAll(',', ''))) };
}

function toCells(line: string): readonly string[] {
  return line.slice('| '.length, -' |'.length).split(' | ');
}

function toText(figures: readonly number[]): string {
  return figures.map(format).join(', ');
}

function format(figure: number): string {
  return figure.toLocaleString('en');
}
