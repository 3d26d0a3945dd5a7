import type { Line } from '../kit/line.ts';
import type { Row } from '../kit/row.ts';
import { cutText, fitText } from '../kit/text.ts';
import { signs, type Token } from '../kit/theme.ts';
import { toProjectPath } from '../manifest/project.ts';
import { isStep, MANY, type Mark, type Marks } from '../record/call-marks.ts';
import { toDuration } from '../values/duration.ts';
import { groupBy } from '../values/once.ts';

/** A bar of a waterfall: one mark, or many of one name that a step made. */
export interface WaterfallRow extends Row {
  readonly marks: readonly [Mark, ...Mark[]];
  /** The time in which nothing inside of it ran, milliseconds. */
  readonly ownMs: number;
  /** From its first beginning to its last end, less the time between, milliseconds. */
  readonly tookMs: number;
  readonly children: readonly WaterfallRow[];
}

export interface Waterfall {
  readonly rows: readonly WaterfallRow[];
  /** The whole time, milliseconds. */
  readonly totalMs: number;
  /** The row that took most of it by itself; undefined where nothing has taken any. */
  readonly longest: WaterfallRow | undefined;
  /** How many marks the list had no room for. */
  readonly leftOut: number;
}

/** The marks of a call as rows in their order, those that a step made inside of it. */
export function toWaterfall({ list, counts }: Marks, durationMs: number): Waterfall {
  const ends = list.map(({ atMs, tookMs = 0 }) => atMs + tookMs);
  const totalMs = Math.max(durationMs, ...ends);
  const inside = groupBy([...list.keys()], (at) => String(list[at]?.inside));
  const toName = (at: number): string => `${list[at]?.kind} ${list[at]?.name}`;
  const toRows = (outer: number | undefined, depth: number): readonly WaterfallRow[] => {
    const indexes = inside.get(String(outer)) ?? [];
    const made = groupBy(indexes, toName);
    return indexes.flatMap((at): readonly WaterfallRow[] => {
      const mark = list[at] as Mark;
      const same = made.get(toName(at)) ?? [];
      const toOne = (index: number, deep: number): WaterfallRow => {
        const children = toRows(index, deep + 1);
        return toRow({ id: String(index), marks: [list[index] as Mark], children }, deep);
      };
      if (isStep(mark) || same.length <= MANY) return [toOne(at, depth)];
      // All stand in the place of the first.
      if (same[0] !== at) return [];
      const children = same.map((index) => toOne(index, depth + 1));
      const others = children.slice(1).map(({ marks: [one] }) => one);
      return [toRow({ id: `all of ${at}`, marks: [mark, ...others], children }, depth)];
    });
  };
  const toRow = (
    made: Pick<WaterfallRow, 'id' | 'marks' | 'children'>,
    depth: number,
  ): WaterfallRow => {
    const { id, marks, children } = made;
    const covered = toCoveredMs(children.flatMap((child) => child.marks));
    const tookMs = toCoveredMs(marks);
    const row = { id, marks, children, tookMs, isOpen: marks.length === 1 };
    const ownMs = marks.length > 1 ? tookMs : Math.max(0, tookMs - covered);
    const line = (columns: number): Line =>
      toBarLine(row, {
        columns,
        indent: INDENT * (depth + (hasSign ? 1 : 0)),
        totalMs,
        isLongest: longest?.id === id,
      });
    return { ...row, ownMs, line, search: `${marks[0].kind} ${marks[0].name}` };
  };
  const rows = toRows(undefined, 0);
  const hasSign = rows.some(({ children }) => children.length > 0);
  const longest = findLongest(rows);
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  return { rows, totalMs, longest, leftOut: total - list.length };
}

/** The rows that have a bar where nothing is selected: what is done again and again has one. */
function toFlatRows(rows: readonly WaterfallRow[]): readonly WaterfallRow[] {
  return rows.flatMap((row) => [row, ...(row.marks.length === 1 ? toFlatRows(row.children) : [])]);
}

function findLongest(rows: readonly WaterfallRow[]): WaterfallRow | undefined {
  const [longest] = toFlatRows(rows).toSorted((one, other) => other.ownMs - one.ownMs);
  return longest && longest.ownMs > 0 ? longest : undefined;
}

/** The time in which at least one of the marks ran. */
function toCoveredMs(marks: readonly Mark[]): number {
  let covered = 0;
  let end = 0;
  for (const { atMs, tookMs = 0 } of marks.toSorted((one, other) => one.atMs - other.atMs)) {
    covered += Math.max(0, atMs + tookMs - Math.max(end, atMs));
    end = Math.max(end, atMs + tookMs);
  }
  return covered;
}

interface BarOptions {
  readonly columns: number;
  /** The columns before it. */
  readonly indent: number;
  readonly totalMs: number;
  readonly isLongest: boolean;
}

const DURATION_COLUMNS = 9;
/** A deep row of a narrow window has a name in place of its duration. */
const MIN_NAME_COLUMNS = 6;
/** A row is set in by its depth, and by the sign of what folds, where any has one. */
const INDENT = 2;

/** The columns of the bar: the same for rows of each depth, so that all have one axis. */
function toBarColumns(columns: number): number {
  return Math.max(8, Math.floor(columns * (columns < 60 ? 0.3 : 0.45)));
}

/** `db select … from lines ×20   121 ms   ▐▌▐▌▐▌` */
function toBarLine(
  row: Pick<WaterfallRow, 'marks' | 'tookMs'>,
  { columns, indent, totalMs, isLongest }: BarOptions,
): Line {
  const [{ kind, result, tookMs }] = row.marks;
  const room = Number.isFinite(columns) ? columns : 100;
  const bar = toBarColumns(room + indent);
  const whole = room - bar - DURATION_COLUMNS - 1;
  const hasDuration = whole >= MIN_NAME_COLUMNS;
  const name = Math.max(1, hasDuration ? whole : room - bar - 1);
  const isMoment = tookMs === undefined && row.marks.length === 1;
  const took = isMoment ? '' : toDuration(row.tookMs);
  const duration = hasDuration ? `${took.padStart(DURATION_COLUMNS)} ` : ' ';
  const failed = result === 'failed' || /^[45]\d\d$/.test(result ?? '');
  const plain: Token | undefined = isStep({ kind }) ? 'muted' : 'accent';
  const token: Token | undefined = isLongest ? 'warning' : plain;
  return [
    { text: fitText(toRowText(row), name), token: failed ? 'danger' : undefined },
    { text: duration, token: isLongest ? 'warning' : undefined },
    { text: toBar(row.marks, totalMs, bar), token },
  ];
}

/** `×20 db select … from lines` */
export function toRowText({
  marks: [{ kind, name }, ...more],
}: Pick<WaterfallRow, 'marks'>): string {
  const own = toMarkName({ kind, name });
  return more.length === 0 ? own : `${signs.times}${more.length + 1} ${own}`;
}

function toMarkName({ kind, name }: Pick<Mark, 'kind' | 'name'>): string {
  return `${kind === 'trace' ? '' : `${kind} `}${name}`.trim();
}

/** Two places a column, so that short times next to one another are seen as two. */
function toBar(marks: readonly Mark[], totalMs: number, columns: number): string {
  const places = Array.from({ length: columns * 2 }, () => false);
  const [first] = marks;
  const toPlace = (ms: number): number =>
    Math.min(places.length - 1, Math.floor((ms / (totalMs || 1)) * places.length));
  if (first !== undefined && first.tookMs === undefined && marks.length === 1)
    return `${' '.repeat(Math.floor(toPlace(first.atMs) / 2))}${signs.live}`;
  for (const { atMs, tookMs = 0 } of marks) {
    const from = toPlace(atMs);
    const end = Math.ceil(((atMs + tookMs) / (totalMs || 1)) * places.length);
    places.fill(true, from, Math.max(from + 1, end));
  }
  let bar = '';
  for (let at = 0; at < places.length; at += 2) bar += toCellSign(places[at], places[at + 1]);
  return bar;
}

function toCellSign(left: boolean | undefined, right: boolean | undefined): string {
  if (left === true) return right === true ? signs.block : signs.blockLeft;
  return right === true ? signs.blockRight : ' ';
}

/** The axis above the rows: its end, and what the whole is. */
export function toAxisLine({ totalMs }: Waterfall, columns: number): Line {
  const bar = toBarColumns(columns);
  const end = toDuration(totalMs);
  const half = bar >= 30 ? toDuration(totalMs / 2) : '';
  const axis = `0${half.padStart(Math.floor(bar / 2) + Math.floor(half.length / 2) - 1)}`;
  return [
    { text: ' '.repeat(Math.max(0, columns - bar)), token: 'muted' },
    { text: `${axis}${end.padStart(Math.max(0, bar - axis.length))}`, token: 'muted' },
  ];
}

/** All that is known of a row, to be read; `root`: absolute path of the project. */
export function toRowFacts(
  row: WaterfallRow,
  { totalMs }: Pick<Waterfall, 'totalMs'>,
  root: string,
): readonly Line[] {
  const [first, ...more] = row.marks;
  const { kind, name, atMs, result, place } = first;
  const share = totalMs === 0 ? 0 : Math.round((row.tookMs / totalMs) * 100);
  const begun = `from ${toDuration(atMs)} on`;
  const took =
    first.tookMs === undefined ? begun : `${toDuration(row.tookMs)}, ${share} %, ${begun}`;
  const summed = row.marks.reduce((sum, mark) => sum + (mark.tookMs ?? 0), 0);
  const order = summed > row.tookMs * 1.1 ? 'at the same time' : 'one after the other';
  const each = toDuration(summed / row.marks.length);
  const own = `${toDuration(row.ownMs)}: its own code, and what cannot be seen`;
  const facts: readonly (readonly [label: string, text: string | undefined, token?: Token])[] = [
    ['took', took],
    more.length > 0
      ? ['times', `${row.marks.length}, ${order}, ${each} each`, 'warning']
      : ['own', row.children.length > 0 ? own : undefined],
    ['gave', result],
    ['from', place && `${toProjectPath(place.file, root)}:${place.line}`],
  ];
  return [
    [
      { text: `${kind} `, token: 'muted' },
      { text: name, token: 'title' },
    ],
    ...facts.flatMap(([label, text, token]): readonly Line[] =>
      text === undefined
        ? []
        : [
            [
              { text: label.padEnd(6), token: 'muted' },
              { text, token },
            ],
          ],
    ),
  ];
}

/** The longest bars in their order, for a page on which nothing is selected. */
export function toWaterfallLines(
  waterfall: Waterfall,
  columns: number,
  most: number,
): readonly Line[] {
  const flat = toFlatRows(waterfall.rows);
  const shown = new Set(flat.toSorted((one, other) => other.tookMs - one.tookMs).slice(0, most));
  return flat
    .filter((row) => shown.has(row) && row.tookMs > 0)
    .map((row): Line => {
      const options = { columns: columns - 2, indent: 0, totalMs: waterfall.totalMs };
      return [
        { text: '  ' },
        ...toBarLine(row, { ...options, isLongest: row === waterfall.longest }),
      ];
    });
}

/** `▲ 20 times: db select … from lines, 121 ms`: what a call did again and again. */
export function toRepeatedLines({ repeated }: Marks, columns: number): readonly Line[] {
  return repeated.map(({ times, tookMs, ...mark }): Line => {
    const text = `${signs.warning} ${times} times in ${toDuration(tookMs)}: ${toMarkName(mark)}`;
    return [{ text: cutText(text, columns), token: 'warning' }];
  });
}

/** `db 23, http 1` */
export function toCountsText({ counts }: Partial<Marks> = {}): string {
  return (['db', 'http', 'redis', 'job'] as const)
    .flatMap((kind) => (counts?.[kind] === undefined ? [] : [`${kind} ${counts[kind]}`]))
    .join(', ');
}
