import { useMemo } from 'react';
import {
  emptyList,
  type FilterState,
  findSelected,
  type ListState,
  noFilter,
} from './list-state.ts';
import {
  countRows,
  filterRows,
  openPath,
  type Row,
  type SeenRow,
  toggleRow,
  toSeenRows,
} from './row.ts';
import { useMemory } from './use-ui.ts';

/** Rows that can be narrowed by typing and folded: what of them is seen, and what the screen keeps. */
export interface Rows<R extends Row = Row> {
  /** The rows that the filter finds. */
  readonly rows: readonly R[];
  readonly seen: readonly SeenRow<R>[];
  /** The ids of those that are seen. */
  readonly keys: readonly string[];
  readonly selected: R | undefined;
  readonly state: ListState;
  readonly onState: (state: ListState) => void;
  readonly toggled: ReadonlySet<string>;
  readonly onToggled: (toggled: ReadonlySet<string>) => void;
  /** Opens or closes a row. */
  readonly toggle: (id: string) => void;
  /** Selects a row, opens those around it, and shows all. */
  readonly reveal: (id: string, around: readonly string[]) => void;
  readonly filter: FilterState;
  readonly onFilter: (filter: FilterState) => void;
  /** `3 of 40` */
  readonly count: string;
}

const none: ReadonlySet<string> = new Set();

/** `name`: unique on the screen. Give the same array as long as nothing in it has changed. */
export function useRows<R extends Row>(
  all: readonly R[],
  name: string,
  initial: ListState = emptyList,
): Rows<R> {
  const [held, onState] = useMemory<ListState>(name, initial);
  const [filter, setFilter] = useMemory(`${name} filter`, noFilter);
  const [whole, setWhole] = useMemory(`${name} toggled`, none);
  const [narrowed, setNarrowed] = useMemory(`${name} toggled in the filter`, none);
  const query = filter.field.text;
  const isNarrowed = query.trim() !== '';
  const [toggled, onToggled] = isNarrowed
    ? ([narrowed, setNarrowed] as const)
    : ([whole, setWhole] as const);
  const rows = useMemo(() => filterRows(all, query), [all, query]);
  const seen = useMemo(() => toSeenRows(rows, toggled), [rows, toggled]);
  // Rows that are made when they are looked at are not made to be counted.
  const isLazy = all.some(({ hasChildren }) => hasChildren !== undefined);
  const count = useMemo(() => {
    if (!isNarrowed) return '';
    return isLazy ? `${countRows(rows)} found` : `${countRows(rows)} of ${countRows(all)}`;
  }, [isNarrowed, isLazy, rows, all]);
  const keys = useMemo(() => seen.map(({ row }) => row.id), [seen]);
  const state = useMemo(() => (held.wantsHit === true ? toHit(held, seen) : held), [held, seen]);
  const selected = seen[findSelected(state, keys)];
  const reveal = (id: string, around: readonly string[]): void => {
    setFilter(noFilter);
    setWhole(openPath(all, whole, new Set(around)));
    onState({ selectedKey: id, index: 0, offset: 0 });
  };
  return {
    rows,
    seen,
    keys,
    selected: selected?.row,
    state,
    onState,
    toggled,
    onToggled,
    toggle: (id) => onToggled(toggleRow(toggled, id)),
    reveal,
    filter,
    onFilter: (next) => {
      if (next.field.text !== query) {
        setNarrowed(none);
        onState({ ...state, wantsHit: next.field.text.trim() !== '' });
      }
      // All is shown again around what was found.
      if (next.field.text === '' && isNarrowed && selected?.parentId !== undefined)
        reveal(selected.row.id, toAround(seen, selected));
      setFilter(next);
    },
    count,
  };
}

/** The selection where it is found, else the first row that is: not one that only stands around others. */
function toHit(state: ListState, seen: readonly SeenRow<Row>[]): ListState {
  const isHit = ({ hasChildren, isOpen }: SeenRow<Row>): boolean => !hasChildren || !isOpen;
  if (seen.some((each) => each.row.id === state.selectedKey && isHit(each))) return state;
  const index = Math.max(0, seen.findIndex(isHit));
  return { selectedKey: seen[index]?.row.id, index, offset: 0 };
}

/** The ids of the rows that a row is in. */
function toAround<R extends Row>(
  seen: readonly SeenRow<R>[],
  { parentId }: SeenRow<R>,
): readonly string[] {
  const parent = parentId === undefined ? undefined : seen.find(({ row }) => row.id === parentId);
  return parent === undefined ? [] : [...toAround(seen, parent), parent.row.id];
}
