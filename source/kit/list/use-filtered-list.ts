import { useMemo } from 'react';
import { useKept } from '../kept/use-kept.ts';
import { hasWords } from '../rows/row.ts';
import { type FilterState, noFilter } from './filter-state.ts';
import { findSelected, type ListState } from './list-state.ts';

export interface FilteredListOptions<Item> {
  /** Unique on the screen. */
  readonly name: string;
  readonly getKey: (item: Item) => string;
  /** The text that is searched; short, and for the same array always the same. */
  readonly getText: (item: Item) => string;
}

/** A list that can be narrowed by typing: what of it is seen, and what the screen keeps. */
export interface FilteredList<Item> {
  readonly items: readonly Item[];
  readonly state: ListState | undefined;
  readonly onState: (state: ListState) => void;
  readonly getKey: (item: Item) => string;
  readonly selected: Item | undefined;
  readonly filter: FilterState;
  readonly onFilter: (filter: FilterState) => void;
  /** `'3 of 40'` */
  readonly count: string;
}

/** Give the same array as long as nothing in it has changed. */
export function useFilteredList<Item>(
  all: readonly Item[],
  { name, getKey, getText }: FilteredListOptions<Item>,
): FilteredList<Item> {
  const [state, setState] = useKept<ListState | undefined>(name, undefined);
  const [filter, setFilter] = useKept(`${name} filter`, noFilter);
  const query = filter.field.text;
  const items = useMemo(
    () => (query === '' ? all : all.filter((item) => hasWords(getText(item), query))),
    [all, query, getText],
  );
  return {
    items,
    state,
    onState: setState,
    getKey,
    selected: findSelected(items, state, getKey),
    filter,
    onFilter: setFilter,
    count: `${items.length} of ${all.length}`,
  };
}
