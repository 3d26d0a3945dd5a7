import { useEffect, useMemo } from 'react';
import { useKept } from '../kit/kept/use-kept.ts';
import type { KeyBinding } from '../kit/keys/key-binding.ts';
import { useKeys } from '../kit/keys/use-keys.ts';
import { noFilter } from '../kit/list/filter-state.ts';
import { findSelected, type ListState } from '../kit/list/list-state.ts';
import type { FilteredList } from '../kit/list/use-filtered-list.ts';
import type { Size } from '../kit/theme/use-ui.ts';
import { toOutline } from '../load/project-state.ts';
import type { Manifest } from '../manifest/manifest.ts';
import { hasRoute, type Listed, NO_ROUTE, toListed } from '../manifest/operations/listed.ts';
import { isWideBody } from '../screens/two-panes.tsx';
import { type Details, paneBinding, useDetails } from '../screens/use-details.ts';
import { useScreen } from '../screens/use-screen.ts';
import { declaredOrder, type ListRow, type ListSort, prepareListRows, toListRows, toNextSort } from './list-rows.ts';

type ListScreenAction = 'show' | 'call' | 'generate' | 'sort' | 'reverse' | 'copy' | 'edit' | 'pane';

const bindings: readonly KeyBinding<ListScreenAction>[] = [
  { action: 'show', keys: ['enter'], help: 'Show the capability', hint: 'show' },
  { action: 'call', keys: ['c'], help: 'Call the capability', hint: 'call' },
  { action: 'generate', keys: ['n'], help: 'Create a capability in this group', hint: 'new' },
  { action: 'sort', keys: ['s'], help: 'Sort by the next column', hint: 'sort' },
  { action: 'reverse', keys: ['S'], help: 'Reverse the order' },
  { action: 'copy', keys: ['y'], help: 'Copy the key', hint: 'copy' },
  { action: 'edit', keys: ['e'], help: 'Open the source in $EDITOR', hint: 'edit' },
];
const wideBindings = [...bindings, paneBinding];
const emptyBindings: readonly KeyBinding<ListScreenAction>[] = [
  { action: 'generate', keys: ['enter', 'n'], help: 'Write the first capability', hint: 'new' },
];

export interface CapabilityList {
  /** Undefined until the project is loaded. */
  readonly manifest: Manifest | undefined;
  /** Every row in the order of declaration, whatever the filter is. */
  readonly all: readonly ListRow[];
  readonly list: FilteredList<ListRow>;
  readonly sort: ListSort;
  readonly details: Details;
}

/** The state of the screen, and what its keys do to it. */
export function useList(size: Size): CapabilityList {
  const { project, go, copy, edit, notify } = useScreen();
  const manifest = toOutline(project);
  const isWide = isWideBody(size);
  const { all, list, sort, setSort } = useRows(manifest);
  const { selected } = list;
  const details = useDetails(isWide && selected !== undefined);
  useKeys<ListScreenAction>({
    title: 'Capability',
    bindings:
      manifest !== undefined && toListed(manifest).length === 0 ? emptyBindings : isWide ? wideBindings : bindings,
    onAction: (action) => {
      if (action === 'sort') setSort(toNextSort(sort));
      else if (action === 'reverse') setSort({ ...sort, isReversed: !sort.isReversed });
      else if (action === 'pane') details.toggle();
      else if (action === 'generate')
        go({ screen: 'generate', kind: 'capability', group: selected?.capability.groups.join('/') });
      else if (selected === undefined) return;
      else if (action === 'copy') copy(selected.key, selected.key);
      else if (action === 'edit') edit(selected.capability.source);
      else if (action === 'call' && !hasRoute(selected.capability)) notify(NO_ROUTE);
      else go({ screen: action, key: selected.key });
    },
  });
  return {
    manifest,
    all,
    sort,
    details,
    list: {
      ...list,
      onState: (state) => {
        details.rewind();
        list.onState(state);
      },
    },
  };
}

/** The rows as they are filtered and sorted. */
function useRows(manifest: Manifest | undefined) {
  const [sort, setSort] = useKept('sort', declaredOrder);
  const [filter, onFilter] = useKept('filter', noFilter);
  const [state, onState] = useKept<ListState | undefined>('list', undefined);
  const capabilities: readonly Listed[] | undefined = manifest && toListed(manifest);
  const query = filter.field.text;
  useEffect(() => prepareListRows(capabilities ?? []), [capabilities]);
  const all = useMemo(() => toListRows(capabilities ?? [], { query: '', sort: declaredOrder }), [capabilities]);
  const isWhole = query === '' && sort === declaredOrder;
  const items = useMemo(
    () => (isWhole ? all : toListRows(capabilities ?? [], { query, sort })),
    [isWhole, all, capabilities, query, sort],
  );
  const count = `${items.length} of ${all.length}`;
  const list: FilteredList<ListRow> = {
    items,
    state,
    onState,
    getKey,
    selected: findSelected(items, state, getKey),
    filter,
    onFilter,
    count,
  };
  return { all, list, sort, setSort };
}

function getKey({ id }: ListRow): string {
  return id;
}
