import { useMemo } from 'react';
import { useKept } from '../kept/use-kept.ts';
import { keyPriority } from '../keys/key-stack.ts';
import { useKeys } from '../keys/use-keys.ts';
import { type TreeAction, treeBindings } from '../tree/tree-state.ts';
import { type ListEntry, type RowGroup, toFlatEntries, toGroupedEntries } from './list-entry.ts';
import type { ListState } from './list-state.ts';

export interface Groups<Row> {
  /** The list as it is seen. */
  readonly entries: readonly ListEntry<Row>[];
  /** Whether the groups are seen now: what a filter finds, and another order, is one list. */
  readonly isGrouped: boolean;
  /** Opens or closes a group. */
  readonly toggle: (id: string) => void;
  /** Opens all groups, or closes them. */
  readonly setAll: (isOpen: boolean) => void;
  readonly toggleGrouped: () => void;
}

export interface GroupsOptions<Row> {
  /** Unique on the screen. */
  readonly name: string;
  readonly groups: readonly RowGroup<Row>[];
  /** The rows where they are one list: all of them, or those that a filter finds. */
  readonly rows: readonly Row[];
  /** Whether those are all, in the order of declaration. */
  readonly isWhole: boolean;
  readonly getKey: (row: Row) => string;
}

/** More rows are grouped until the user says otherwise. */
const FLAT_UNTIL = 100;

/** The rows of a list in groups, each of which can be closed. */
export function useGroups<Row extends object>(options: GroupsOptions<Row>): Groups<Row> {
  const { name, groups, rows, isWhole, getKey } = options;
  const [wanted, setWanted] = useKept<boolean | undefined>(`${name} grouped`, undefined);
  const [toggled, setToggled] = useKept<ReadonlySet<string>>(`${name} toggled groups`, new Set());
  const isGrouped = isWhole && (wanted ?? (rows.length > FLAT_UNTIL && groups.length > 1));
  const entries = useMemo(
    () => (isGrouped ? toGroupedEntries(groups, { toggled, getKey }) : toFlatEntries(rows, getKey)),
    [isGrouped, groups, toggled, rows, getKey],
  );
  return {
    entries,
    isGrouped,
    toggle: (id) => setToggled(withToggled(toggled, id)),
    setAll: (isOpen) =>
      setToggled(new Set(groups.filter((group) => group.isOpen !== isOpen).map(({ id }: RowGroup<Row>) => id))),
    toggleGrouped: () => setWanted(!isGrouped),
  };
}

function withToggled(toggled: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(toggled);
  if (!next.delete(id)) next.add(id);
  return next;
}

interface FoldKeys<Row> {
  readonly selected: ListEntry<Row> | undefined;
  readonly isActive: boolean;
  readonly onState: (state: ListState) => void;
}

/** The keys of trees: those of a group open and close it, on a row they close its group. */
export function useFoldKeys<Row>(
  { toggle, setAll, entries }: Groups<Row>,
  { selected, isActive, onState }: FoldKeys<Row>,
): void {
  useKeys<TreeAction>({
    title: 'Groups',
    bindings: treeBindings,
    priority: keyPriority.pane,
    isActive,
    onAction: (action) => {
      if (action === 'openAll' || action === 'closeAll') return setAll(action === 'openAll');
      if (selected === undefined) return;
      const id = selected.kind === 'group' ? selected.id : selected.groupId;
      const index = entries.findIndex((entry) => entry.id === id);
      const group = entries[index];
      if (group?.kind !== 'group' || (action !== 'toggle' && group.isOpen === (action === 'open'))) return;
      toggle(group.id);
      onState({ selectedKey: group.id, index, offset: Math.max(0, index - 1) });
    },
  });
}
