import { useMemo } from 'react';
import { useKept } from '../kept/use-kept.ts';
import { type FilterState, noFilter } from '../list/filter-state.ts';
import { emptyList, findSelected, type ListState } from '../list/list-state.ts';
import { countRows, filterRows, type Row, type SeenRow, toggleRow, toSeenRows } from './row.ts';

/** Rows that can be narrowed by typing and folded: what of them is seen, and what the screen keeps. */
export interface Rows<R extends Row = Row> {
  /** The rows that the filter finds. */
  readonly rows: readonly R[];
  readonly seen: readonly SeenRow<R>[];
  readonly selected: R | undefined;
  readonly state: ListState;
  readonly onState: (state: ListState) => void;
  readonly toggled: ReadonlySet<string>;
  readonly onToggled: (toggled: ReadonlySet<string>) => void;
  /** Opens or closes a row. */
  readonly toggle: (id: string) => void;
  readonly filter: FilterState;
  readonly onFilter: (filter: FilterState) => void;
  /** `3 of 40` */
  readonly count: string;
}

const none: ReadonlySet<string> = new Set();

/** `name`: unique on the screen. Give the same array as long as nothing in it has changed. */
export function useRows<R extends Row>(all: readonly R[], name: string): Rows<R> {
  const [state, onState] = useKept<ListState>(name, emptyList);
  const [filter, setFilter] = useKept(`${name} filter`, noFilter);
  const [whole, setWhole] = useKept(`${name} toggled`, none);
  const [narrowed, setNarrowed] = useKept(`${name} toggled in the filter`, none);
  const query = filter.field.text;
  const isNarrowed = query.trim() !== '';
  const [toggled, onToggled] = isNarrowed ? ([narrowed, setNarrowed] as const) : ([whole, setWhole] as const);
  const rows = useMemo(() => filterRows(all, query), [all, query]);
  const seen = useMemo(() => toSeenRows(rows, toggled), [rows, toggled]);
  const count = useMemo(() => (isNarrowed ? `${countRows(rows)} of ${countRows(all)}` : ''), [isNarrowed, rows, all]);
  return {
    rows,
    seen,
    selected: findSelected(seen, state, ({ row }) => row.id)?.row,
    state,
    onState,
    toggled,
    onToggled,
    toggle: (id) => onToggled(toggleRow(toggled, id)),
    filter,
    onFilter: (next) => {
      if (next.field.text !== query) setNarrowed(none);
      setFilter(next);
    },
    count,
  };
}
