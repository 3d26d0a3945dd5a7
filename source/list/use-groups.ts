import { useMemo } from 'react';
import { useKept } from '../kit/kept/use-kept.ts';
import { keyPriority } from '../kit/keys/key-stack.ts';
import { useKeys } from '../kit/keys/use-keys.ts';
import type { ListState } from '../kit/list/list-state.ts';
import { type TreeAction, treeBindings } from '../kit/tree/tree-state.ts';
import {
  type ListEntry,
  type ListGroup,
  type ListShelf,
  toFlatEntries,
  toGroupedEntries,
  toListGroups,
} from './list-entry.ts';
import type { ListRow } from './list-rows.ts';

export interface ListGroups {
  /** The list as it is seen. */
  readonly entries: readonly ListEntry[];
  /** Whether the groups are seen now: what a filter finds, and another order, is one list. */
  readonly isGrouped: boolean;
  /** Opens or closes a group. */
  readonly toggle: (id: string) => void;
  /** Opens all groups, or closes them. */
  readonly setAll: (isOpen: boolean) => void;
  readonly toggleGrouped: () => void;
}

interface Rows {
  readonly all: readonly ListRow[];
  /** Those that the filter finds, in the order that is wanted. */
  readonly items: readonly ListRow[];
  /** Whether those are all, in the order of declaration. */
  readonly isWhole: boolean;
}

/** More capabilities are grouped until the user says otherwise. */
const FLAT_UNTIL = 100;

/** The rows of the list in groups, each of which can be closed. */
export function useGroups({ all, items, isWhole }: Rows, shelf: ListShelf): ListGroups {
  const [wanted, setWanted] = useKept<boolean | undefined>('grouped', undefined);
  const [toggled, setToggled] = useKept<ReadonlySet<string>>('toggled groups', new Set());
  const groups = useMemo(() => toListGroups(all, shelf), [all, shelf]);
  const isGrouped = isWhole && (wanted ?? (all.length > FLAT_UNTIL && groups.length > 1));
  const entries = useMemo(() => {
    if (isGrouped) return toGroupedEntries(groups, toggled);
    return toFlatEntries(items, isWhole ? shelf.pinned : []);
  }, [isGrouped, groups, toggled, items, isWhole, shelf]);
  return {
    entries,
    isGrouped,
    toggle: (id) => setToggled(withToggled(toggled, id)),
    setAll: (isOpen) =>
      setToggled(new Set(groups.filter((group) => group.isOpen !== isOpen).map(({ id }: ListGroup) => id))),
    toggleGrouped: () => setWanted(!isGrouped),
  };
}

function withToggled(toggled: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(toggled);
  if (!next.delete(id)) next.add(id);
  return next;
}

interface FoldKeys {
  readonly selected: ListEntry | undefined;
  readonly isActive: boolean;
  readonly onState: (state: ListState) => void;
}

/** The keys of trees: those of a group open and close it, on a capability they close its group. */
export function useFoldKeys({ toggle, setAll, entries }: ListGroups, { selected, isActive, onState }: FoldKeys): void {
  useKeys<TreeAction>({
    title: 'Groups',
    scope: 'fold',
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
