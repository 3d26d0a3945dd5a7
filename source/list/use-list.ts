import { useEffect, useMemo } from 'react';
import { useKept } from '../kit/kept/use-kept.ts';
import type { KeyBinding } from '../kit/keys/key-binding.ts';
import { useKeys } from '../kit/keys/use-keys.ts';
import { noFilter } from '../kit/list/filter-state.ts';
import { type ListEntry, rowsOf } from '../kit/list/list-entry.ts';
import { findSelected, type ListState } from '../kit/list/list-state.ts';
import type { FilteredList } from '../kit/list/use-filtered-list.ts';
import { type Groups, useFoldKeys, useGroups } from '../kit/list/use-groups.ts';
import type { Size } from '../kit/theme/use-ui.ts';
import { toOutline } from '../load/project-state.ts';
import type { Manifest } from '../manifest/manifest.ts';
import { hasRoute, type Listed, NO_ROUTE, toListed } from '../manifest/operations/listed.ts';
import { isWideBody } from '../screens/two-panes.tsx';
import { type Details, paneBinding, useDetails } from '../screens/use-details.ts';
import { useScreen } from '../screens/use-screen.ts';
import { type ListShelf, toListGroups, toPinnedFirst } from './list-groups.ts';
import { declaredOrder, type ListRow, type ListSort, prepareListRows, toListRows, toNextSort } from './list-rows.ts';
import { useShelf } from './use-shelf.ts';

type ListScreenAction = 'show' | 'call' | 'generate' | 'sort' | 'reverse' | 'group' | 'pin' | 'copy' | 'edit' | 'pane';

const bindings: readonly KeyBinding<ListScreenAction>[] = [
  { action: 'show', keys: ['enter', 's'], help: 'Show the capability', hint: 'show' },
  { action: 'call', keys: ['c'], help: 'Call the capability', hint: 'call' },
  { action: 'generate', keys: ['i'], help: 'Create a capability in this group', hint: 'new' },
  { action: 'sort', keys: ['>'], help: 'Sort by the next column', hint: 'sort' },
  { action: 'reverse', keys: ['<'], help: 'Reverse the order' },
  { action: 'group', keys: ['v'], help: 'Group the capabilities, or show them in one list' },
  { action: 'pin', keys: ['p'], help: 'Pin the capability to the start, or no longer' },
  { action: 'copy', keys: ['y'], help: 'Copy the key', hint: 'copy' },
  { action: 'edit', keys: ['e'], help: 'Open the source in $EDITOR', hint: 'edit' },
];
const wideBindings = [...bindings, paneBinding];
const emptyBindings: readonly KeyBinding<ListScreenAction>[] = [
  { action: 'generate', keys: ['enter', 'i'], help: 'Write the first capability', hint: 'new' },
];

export interface CapabilityList {
  /** Undefined until the project is loaded. */
  readonly manifest: Manifest | undefined;
  /** Every row in the order of declaration, whatever the filter is. */
  readonly all: readonly ListRow[];
  readonly list: FilteredList<ListEntry<ListRow>>;
  readonly sort: ListSort;
  readonly isGrouped: boolean;
  readonly details: Details;
}

/** The state of the screen, and what its keys do to it. */
export function useList(size: Size): CapabilityList {
  const { project, notify } = useScreen();
  const manifest = toOutline(project);
  const isWide = isWideBody(size);
  const rows = useRows(manifest);
  const { shelf, togglePin } = useShelf(manifest?.project.root);
  const groups = useListGroups(rows, shelf);
  const [state, onState] = useKept<ListState | undefined>('list', undefined);
  const { all, filter, onFilter, sort } = rows;
  const { entries } = groups;
  const selected = findSelected(entries, state, getId);
  const details = useDetails(isWide && selected !== undefined);
  const toState = (next: ListState): void => {
    details.rewind();
    onState(next);
  };
  useListKeys({
    selected,
    bindings: toBindings(manifest, { isBroken: project.failure !== undefined, isWide }),
    onGroups: groups.toggleGrouped,
    onFold: groups.toggle,
    onSort: rows.setSort,
    sort,
    onPane: details.toggle,
    onPin: (key) =>
      void togglePin(key).then((isPinned) =>
        notify(isPinned ? `${key} stands first now` : `${key} stands in its place again`),
      ),
  });
  useFoldKeys(groups, { selected, isActive: groups.isGrouped && !details.isFocused, onState: toState });
  const count = `${rows.items.length} of ${all.length}`;
  const list = { items: entries, state, onState: toState, getKey: getId, selected, filter, onFilter, count };
  return { manifest, all, sort, details, isGrouped: groups.isGrouped, list };
}

/** The bindings of the list. While the project loads, they are those of the rows to come: keys that are pressed meanwhile are kept for them. */
function toBindings(
  manifest: Manifest | undefined,
  { isBroken, isWide }: { readonly isBroken: boolean; readonly isWide: boolean },
): readonly KeyBinding<ListScreenAction>[] {
  if (manifest === undefined && isBroken) return [];
  if (manifest !== undefined && toListed(manifest).length === 0) return emptyBindings;
  return isWide ? wideBindings : bindings;
}

interface ListKeys {
  readonly selected: ListEntry<ListRow> | undefined;
  readonly bindings: readonly KeyBinding<ListScreenAction>[];
  readonly sort: ListSort;
  readonly onSort: (sort: ListSort) => void;
  readonly onGroups: () => void;
  /** Opens or closes a group. */
  readonly onFold: (id: string) => void;
  readonly onPane: () => void;
  readonly onPin: (key: string) => void;
}

function useListKeys({ selected, bindings, sort, onSort, onGroups, onFold, onPane, onPin }: ListKeys): void {
  const { go, copy, edit, notify } = useScreen();
  useKeys<ListScreenAction>({
    title: 'Capability',
    bindings,
    onAction: (action) => {
      const rows = rowsOf(selected);
      if (action === 'sort') onSort(toNextSort(sort));
      else if (action === 'reverse') onSort({ ...sort, isReversed: !sort.isReversed });
      else if (action === 'group') onGroups();
      else if (action === 'pane') onPane();
      else if (action === 'generate')
        go({ screen: 'generate', kind: 'capability', group: rows[0]?.capability.groups.join('/') });
      else if (selected === undefined) return;
      else if (selected.kind === 'group') {
        if (action === 'show') onFold(selected.id);
        else if (action === 'copy') copy(selected.name, selected.name);
      } else if (action === 'pin') onPin(selected.row.key);
      else if (action === 'copy') copy(selected.row.key, selected.row.key);
      else if (action === 'edit') edit(selected.row.capability.source);
      else if (action === 'call' && !hasRoute(selected.row.capability)) notify(NO_ROUTE);
      else go({ screen: action, key: selected.row.key });
    },
  });
}

/** The rows in their groups, or as one list with what is pinned first. */
function useListGroups({ all, items, isWhole }: ReturnType<typeof useRows>, shelf: ListShelf): Groups<ListRow> {
  const groups = useMemo(() => toListGroups(all, shelf), [all, shelf]);
  const rows = useMemo(() => (isWhole ? toPinnedFirst(items, shelf.pinned) : items), [isWhole, items, shelf]);
  return useGroups({ name: 'list', groups, rows, isWhole, getKey: getId });
}

/** The rows as they are filtered and sorted. */
function useRows(manifest: Manifest | undefined) {
  const [sort, setSort] = useKept('sort', declaredOrder);
  const [filter, onFilter] = useKept('filter', noFilter);
  const capabilities: readonly Listed[] | undefined = manifest && toListed(manifest);
  const query = filter.field.text;
  useEffect(() => prepareListRows(capabilities ?? []), [capabilities]);
  const all = useMemo(() => toListRows(capabilities ?? [], { query: '', sort: declaredOrder }), [capabilities]);
  const isWhole = query === '' && sort.by === 'declared' && !sort.isReversed;
  const items = useMemo(
    () => (isWhole ? all : toListRows(capabilities ?? [], { query, sort })),
    [isWhole, all, capabilities, query, sort],
  );
  return { all, items, isWhole, filter, onFilter, sort, setSort };
}

function getId({ id }: { readonly id: string }): string {
  return id;
}
