import type { ListRow } from './list-rows.ts';

/** A line of the list: a capability, or the group above some. */
export type ListEntry =
  | { readonly kind: 'row'; readonly id: string; readonly row: ListRow; readonly groupId: string | undefined }
  | {
      readonly kind: 'group';
      readonly id: string;
      readonly name: string;
      readonly rows: readonly ListRow[];
      readonly isOpen: boolean;
    };

/** The capabilities that stand first. */
export interface ListShelf {
  readonly pinned: readonly string[];
  /** The last called first. */
  readonly recent: readonly string[];
}

export interface ListGroup {
  readonly id: string;
  readonly name: string;
  readonly rows: readonly ListRow[];
  /** Whether it is open until the user says otherwise. */
  readonly isOpen: boolean;
}

/** The number of capabilities that were called last which stand before the groups. */
const MAX_RECENT = 5;

/** The groups in the order of declaration, the first one open; before them what is pinned, and what was called last. */
export function toListGroups(rows: readonly ListRow[], { pinned, recent }: ListShelf): readonly ListGroup[] {
  // A capability may be a job, too.
  const toRows = (keys: readonly string[]): readonly ListRow[] =>
    keys.flatMap((key) => rows.filter((row) => row.key === key));
  const groups = new Map<string, ListRow[]>();
  for (const row of rows) {
    const name = row.capability.groups.join('.');
    const known = groups.get(name);
    if (known === undefined) groups.set(name, [row]);
    else known.push(row);
  }
  const shelf = [
    { id: 'pinned', name: 'pinned', rows: toRows(pinned), isOpen: true },
    { id: 'recent', name: 'last called', rows: toRows(recent).slice(0, MAX_RECENT), isOpen: true },
  ];
  return [
    ...shelf.filter((group) => group.rows.length > 0),
    ...[...groups].map(([name, rows], index) => ({
      id: `group ${name}`,
      name: name === '' ? 'without a group' : name,
      rows,
      isOpen: index === 0,
    })),
  ];
}

/** `toggled`: ids of the groups that are not as they were at first. */
export function toGroupedEntries(groups: readonly ListGroup[], toggled: ReadonlySet<string>): readonly ListEntry[] {
  return groups.flatMap(({ isOpen: wasOpen, ...group }): readonly ListEntry[] => {
    const isOpen = wasOpen !== toggled.has(group.id);
    const header: ListEntry = { kind: 'group', ...group, isOpen };
    if (!isOpen) return [header];
    return [header, ...group.rows.map((row) => toEntry(row, group.id))];
  });
}

/** One list, what is pinned first. */
export function toFlatEntries(rows: readonly ListRow[], pinned: readonly string[]): readonly ListEntry[] {
  if (pinned.length === 0) return rows.map((row) => toEntry(row, undefined));
  const first = pinned.flatMap((key) => rows.filter((row) => row.key === key));
  return [...first, ...rows.filter(({ key }) => !pinned.includes(key))].map((row) => toEntry(row, undefined));
}

/** The same entry for the same row, so that only rows that have changed are drawn anew. */
function toEntry(row: ListRow, groupId: string | undefined): ListEntry {
  const known = entries.get(row)?.find((entry) => entry.groupId === groupId);
  if (known !== undefined) return known;
  const entry = { kind: 'row', id: groupId === undefined ? row.id : `${groupId} ${row.id}`, row, groupId } as const;
  entries.set(row, [...(entries.get(row) ?? []), entry]);
  return entry;
}

type RowEntry = Extract<ListEntry, { readonly kind: 'row' }>;
const entries = new WeakMap<ListRow, readonly RowEntry[]>();
