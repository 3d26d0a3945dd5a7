import type { Line } from '../../kit/line/line.ts';
import { cutText, textWidth } from '../../kit/text/text-width.ts';
import type { Symbols } from '../../kit/theme/tokens.ts';
import type { Size } from '../../kit/theme/use-ui.ts';

/** The views of the dev screen, in the order of their numbers. */
export const paneNames = ['routes', 'requests', 'logs'] as const;
export type PaneName = (typeof paneNames)[number];

/** The number that stands behind each name. */
export type PaneCounts = Readonly<Record<PaneName, number>>;

/** The window from which on all are shown together; lower, each would have a few rows. */
const ALL_COLUMNS = 120;
const ALL_ROWS = 16;

export function hasRoomForAll({ columns, rows }: Size): boolean {
  return columns >= ALL_COLUMNS && rows >= ALL_ROWS;
}

export function toNeighbour(name: PaneName, by: 1 | -1): PaneName {
  return paneNames[(paneNames.indexOf(name) + by + paneNames.length) % paneNames.length] ?? 'routes';
}

/** `[1 routes 9]   2 requests 0    3 logs 0 `: the names of all, where one of them is shown. */
export function toTabLine(
  open: PaneName,
  { counts, columns }: { readonly counts: PaneCounts; readonly columns: number },
): Line {
  const gap = columns < 50 ? ' ' : '   ';
  return paneNames.flatMap((name, index): Line => {
    const text = toTitle(name, counts);
    return [
      { text: index === 0 ? ' ' : gap },
      name === open ? { text: `[${text}]`, token: 'title' } : { text: ` ${text} `, token: 'muted' },
    ];
  });
}

/** The view whose name is drawn at a column of the line of all names. */
export function findTab(line: Line, column: number): PaneName | undefined {
  let to = 0;
  const segment = line.find(({ text }) => {
    to += textWidth(text);
    return column < to;
  });
  return paneNames.find((name) => segment?.text.includes(` ${name} `));
}

export interface PaneTitleOptions {
  readonly counts: PaneCounts;
  readonly columns: number;
  /** Whether it has the keys. */
  readonly isFocused: boolean;
  readonly symbols: Symbols;
}

/** `─[1 routes 9]──────`: above a view that is shown beside others. */
export function toPaneTitle(name: PaneName, { counts, columns, isFocused, symbols }: PaneTitleOptions): Line {
  const text = toTitle(name, counts);
  const shown = cutText(isFocused ? `[${text}]` : ` ${text} `, columns - 1, symbols.ellipsis);
  return [
    { text: symbols.line, token: 'muted' },
    { text: shown, token: isFocused ? 'key' : 'title' },
    { text: symbols.line.repeat(Math.max(0, columns - 1 - textWidth(shown))), token: 'muted' },
  ];
}

function toTitle(name: PaneName, counts: PaneCounts): string {
  return `${paneNames.indexOf(name) + 1} ${name} ${counts[name]}`;
}
