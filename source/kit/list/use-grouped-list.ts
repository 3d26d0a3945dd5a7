import { useMemo } from 'react';
import { type ListEntry, type RowGroup, toRowGroups } from './list-entry.ts';
import { findSelected } from './list-state.ts';
import { type FilteredList, type FilteredListOptions, useFilteredList } from './use-filtered-list.ts';
import { type Groups, useGroups } from './use-groups.ts';

export interface GroupedListOptions<Row> extends FilteredListOptions<Row> {
  /** The name of a row's group; empty where it has none. */
  readonly getGroup: (row: Row) => string;
  /** Whether the rows are in the order in which they were declared: another order is one list. @default true */
  readonly isDeclared?: boolean;
}

export interface GroupedList<Row> extends Groups<Row> {
  readonly list: FilteredList<ListEntry<Row>>;
}

/** A list that can be narrowed by typing, and whose rows stand in groups that fold. Give the same array and functions as long as nothing has changed. */
export function useGroupedList<Row extends object>(
  all: readonly Row[],
  { getGroup, isDeclared = true, ...options }: GroupedListOptions<Row>,
): GroupedList<Row> {
  const { name, getKey } = options;
  const found = useFilteredList(all, options);
  const groups: readonly RowGroup<Row>[] = useMemo(() => toRowGroups(all, getGroup), [all, getGroup]);
  const isWhole = isDeclared && found.filter.field.text === '';
  const grouped = useGroups({ name, groups, rows: found.items, isWhole, getKey });
  const { entries } = grouped;
  const selected = findSelected(entries, found.state, getId);
  return { ...grouped, list: { ...found, items: entries, getKey: getId, selected } };
}

function getId({ id }: ListEntry<unknown>): string {
  return id;
}
