import { stripControl } from '../terminal/control/strip-control.ts';
import type { CapabilityRow } from './capability-row.ts';

/**
 * The list as text, with a line feed at its end:
 *
 *     Capabilities (2)
 *
 *       items.getItem    GET   /items/:id  public
 *       items.createItem POST  /items      1 guard
 *
 * Columns are as wide as their longest value and two spaces apart.
 */
export function toListText(rows: readonly CapabilityRow[]): string {
  const widths = {
    key: longest(rows, 'key'),
    method: longest(rows, 'method'),
    route: longest(rows, 'route'),
  };
  const lines = rows.map(({ key, method, route, guards }) =>
    ['', key.padEnd(widths.key), method.padEnd(widths.method), stripControl(route).padEnd(widths.route), guards].join(
      '  ',
    ),
  );
  return `${[`Capabilities (${rows.length})`, '', ...lines].join('\n')}\n`;
}

function longest(rows: readonly CapabilityRow[], column: keyof CapabilityRow): number {
  return rows.reduce((most, row) => Math.max(most, row[column].length), 0);
}
