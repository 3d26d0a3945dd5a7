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
 * A capability that is a resource or a prompt for agents says so at its end. Jobs follow in a section of their own. Columns are as wide as their
 * longest value and two spaces apart.
 */
export function toListText(capabilities: readonly CapabilityRow[], jobs: readonly CapabilityRow[] = []): string {
  return `${[...toSection('Capabilities', capabilities), ...(jobs.length === 0 ? [] : ['', ...toSection('Jobs', jobs)])].join('\n')}\n`;
}

function toSection(title: string, rows: readonly CapabilityRow[]): readonly string[] {
  const widths = {
    key: longest(rows, 'key'),
    method: longest(rows, 'method'),
    route: longest(rows, 'route'),
  };
  const lines = rows.map(({ key, method, route, guards, offers }) => {
    const columns = [key.padEnd(widths.key), method.padEnd(widths.method), stripControl(route).padEnd(widths.route)];
    return ['', ...columns, guards, ...(offers === '' ? [] : [offers])].join('  ');
  });
  return [`${title} (${rows.length})`, '', ...lines];
}

function longest(rows: readonly CapabilityRow[], column: keyof CapabilityRow): number {
  return rows.reduce((most, row) => Math.max(most, row[column].length), 0);
}
