import { type Line, lineWidth } from '../../kit/line.ts';
import { cutText, textWidth } from '../../kit/text.ts';
import { signs } from '../../kit/theme.ts';
import type { Size } from '../../kit/use-ui.ts';

/** The views of the dev screen, in the order of their numbers. */
export const paneNames = ['routes', 'requests', 'logs', 'jobs'] as const;
export type PaneName = (typeof paneNames)[number];

/** The number that stands behind each name; undefined for a view that there is not. */
export type PaneCounts = Readonly<Record<PaneName, number | undefined>>;

/** The window from which on all are shown together; lower, each would have a few rows. */
const ALL_COLUMNS = 120;
const ALL_ROWS = 16;

export function hasRoomForAll({ columns, rows }: Size): boolean {
  return columns >= ALL_COLUMNS && rows >= ALL_ROWS;
}

/** The views that have a count: those of jobs only where there are jobs. */
export function listPanes(counts: PaneCounts): readonly PaneName[] {
  return paneNames.filter((name) => counts[name] !== undefined);
}

export function toNeighbour(name: PaneName, by: 1 | -1, names: readonly PaneName[]): PaneName {
  return names[(names.indexOf(name) + by + names.length) % names.length] ?? 'routes';
}

/** ` [1 routes 9]  2 requests 0  3 logs 0`: the names where one is shown. A narrow window leaves counts out. */
export function toTabLine(open: PaneName, counts: PaneCounts, columns: number): Line {
  const toLine = (toText: (name: PaneName) => string): Line =>
    listPanes(counts).flatMap((name, index) => [
      { text: index === 0 ? ' ' : '  ' },
      name === open ? { text: `[${toText(name)}]`, token: 'title' } : { text: toText(name), token: 'muted' },
    ]);
  const whole = toLine((name) => toTitle(name, counts));
  return lineWidth(whole) <= columns ? whole : toLine(toNumberedName);
}

/** `─[1 routes 9]──────`: above a view that is shown beside others. In brackets where it has the keys. */
export function toPaneTitle(name: PaneName, counts: PaneCounts, place: { columns: number; isFocused: boolean }): Line {
  const { columns, isFocused } = place;
  const text = toTitle(name, counts);
  const shown = cutText(isFocused ? `[${text}]` : ` ${text} `, columns - 1);
  return [
    { text: signs.line, token: 'muted' },
    { text: shown, token: isFocused ? 'key' : 'title' },
    { text: signs.line.repeat(Math.max(0, columns - 1 - textWidth(shown))), token: 'muted' },
  ];
}

function toTitle(name: PaneName, counts: PaneCounts): string {
  return `${toNumberedName(name)} ${counts[name] ?? 0}`;
}

/** `1 routes` */
function toNumberedName(name: PaneName): string {
  return `${paneNames.indexOf(name) + 1} ${name}`;
}
