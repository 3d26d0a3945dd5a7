import type { Line } from '../line/line.ts';
import type { Symbols } from '../theme/tokens.ts';

/** A line of a list: a row, or the group above some. */
export type ListEntry<Row> = RowEntry<Row> | GroupEntry<Row>;

interface RowEntry<Row> {
  readonly kind: 'row';
  readonly id: string;
  readonly row: Row;
  readonly groupId: string | undefined;
}

interface GroupEntry<Row> {
  readonly kind: 'group';
  readonly id: string;
  readonly name: string;
  readonly rows: readonly Row[];
  readonly isOpen: boolean;
}

/** Rows that stand together under a name. */
export interface RowGroup<Row> {
  readonly id: string;
  readonly name: string;
  readonly rows: readonly Row[];
  /** Whether it is open until the user says otherwise. */
  readonly isOpen: boolean;
}

/** The rows by the names of their groups, in the order in which the names come; the first group is open. */
export function toRowGroups<Row>(rows: readonly Row[], getGroup: (row: Row) => string): readonly RowGroup<Row>[] {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const name = getGroup(row);
    const known = groups.get(name);
    if (known === undefined) groups.set(name, [row]);
    else known.push(row);
  }
  return [...groups].map(([name, rowsOfIt], index) => ({
    id: `group ${name}`,
    name: name === '' ? 'without a group' : name,
    rows: rowsOfIt,
    isOpen: index === 0,
  }));
}

export interface GroupedOptions<Row> {
  /** Ids of the groups that are not as they were at first. */
  readonly toggled: ReadonlySet<string>;
  /** Unique among the rows of a group. */
  readonly getKey: (row: Row) => string;
}

export function toGroupedEntries<Row extends object>(
  groups: readonly RowGroup<Row>[],
  { toggled, getKey }: GroupedOptions<Row>,
): readonly ListEntry<Row>[] {
  return groups.flatMap(({ isOpen: wasOpen, ...group }): readonly ListEntry<Row>[] => {
    const isOpen = wasOpen !== toggled.has(group.id);
    const header = { kind: 'group', ...group, isOpen } as const;
    if (!isOpen) return [header];
    return [header, ...group.rows.map((row) => toEntry(row, { getKey, groupId: group.id }))];
  });
}

/** The rows as one list. */
export function toFlatEntries<Row extends object>(
  rows: readonly Row[],
  getKey: (row: Row) => string,
): readonly ListEntry<Row>[] {
  return rows.map((row) => toEntry(row, { getKey, groupId: undefined }));
}

/** The rows that an entry stands for. */
export function rowsOf<Row>(entry: ListEntry<Row> | undefined): readonly Row[] {
  if (entry === undefined) return [];
  return entry.kind === 'row' ? [entry.row] : entry.rows;
}

/** Columns by which the rows of a group stand further to the right. */
export const GROUP_INDENT = 2;

/** `▾ users  12`: the line above the rows of a group. */
export function toGroupHeader(
  { name, rows, isOpen }: Pick<GroupEntry<unknown>, 'name' | 'rows' | 'isOpen'>,
  symbols: Symbols,
): Line {
  return [
    { text: `${isOpen ? symbols.open : symbols.closed} `, token: 'accent' },
    { text: name, token: 'title' },
    { text: `  ${rows.length}`, token: 'muted' },
  ];
}

interface EntryOptions<Row> {
  readonly getKey: (row: Row) => string;
  readonly groupId: string | undefined;
}

/** The same entry for the same row, so that only rows that have changed are drawn anew. */
function toEntry<Row extends object>(row: Row, { getKey, groupId }: EntryOptions<Row>): RowEntry<Row> {
  const known = entries.get(row)?.find((entry) => entry.groupId === groupId);
  if (known !== undefined) return known as RowEntry<Row>;
  const key = getKey(row);
  const entry = { kind: 'row', id: groupId === undefined ? key : `${groupId} ${key}`, row, groupId } as const;
  entries.set(row, [...(entries.get(row) ?? []), entry]);
  return entry;
}

const entries = new WeakMap<object, readonly RowEntry<object>[]>();
