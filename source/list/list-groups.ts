import { type RowGroup, toRowGroups } from '../kit/list/list-entry.ts';
import type { ListRow } from './list-rows.ts';

/** The capabilities that stand first. */
export interface ListShelf {
  readonly pinned: readonly string[];
  /** The last called first. */
  readonly recent: readonly string[];
}

/** The number of capabilities that were called last which stand before the groups. */
const MAX_RECENT = 5;

/** The groups in the order of declaration, the first one open; before them what is pinned, and what was called last. */
export function toListGroups(rows: readonly ListRow[], { pinned, recent }: ListShelf): readonly RowGroup<ListRow>[] {
  const shelf = [
    { id: 'pinned', name: 'pinned', rows: findRows(rows, pinned), isOpen: true },
    { id: 'recent', name: 'last called', rows: findRows(rows, recent).slice(0, MAX_RECENT), isOpen: true },
  ];
  return [
    ...shelf.filter((group) => group.rows.length > 0),
    ...toRowGroups(rows, ({ capability }) => capability.groups.join('.')),
  ];
}

/** The rows with what is pinned first. */
export function toPinnedFirst(rows: readonly ListRow[], pinned: readonly string[]): readonly ListRow[] {
  if (pinned.length === 0) return rows;
  return [...findRows(rows, pinned), ...rows.filter(({ key }) => !pinned.includes(key))];
}

/** A capability may be a job, too. */
function findRows(rows: readonly ListRow[], keys: readonly string[]): readonly ListRow[] {
  return keys.flatMap((key) => rows.filter((row) => row.key === key));
}
