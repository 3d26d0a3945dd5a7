import { Box } from 'ink';
import { useMemo } from 'react';
import { useKept } from '../../../kit/kept/use-kept.ts';
import type { KeyBinding } from '../../../kit/keys/key-binding.ts';
import { useKeys } from '../../../kit/keys/use-keys.ts';
import { fitLine, type Segment } from '../../../kit/line/line.ts';
import { LineView } from '../../../kit/line/line-view.tsx';
import { FilteredListView } from '../../../kit/list/filtered-list-view.tsx';
import { GROUP_INDENT } from '../../../kit/list/list-entry.ts';
import { toRowColumns } from '../../../kit/list/to-scroll-marks.ts';
import { useGroupedList } from '../../../kit/list/use-grouped-list.ts';
import { useFoldKeys } from '../../../kit/list/use-groups.ts';
import { useUi } from '../../../kit/theme/use-ui.ts';
import { useScreen } from '../../../screens/use-screen.ts';
import type { DevStore, RouteEntry } from '../../dev-store.ts';
import { toRouteColumns, toRouteLine, toRouteTitle } from './route-columns.ts';
import { toRouteGroupLine } from './route-group-line.ts';
import { serverOrder, sortRoutes, toNextRouteSort } from './route-sort.ts';
import type { RouteSummary } from './route-stats.ts';

export interface RoutesPaneProps {
  readonly columns: number;
  readonly rows: number;
  readonly store: DevStore;
  /** Whether it has the keys. */
  readonly isFocused: boolean;
  /** Whether it stands beside the requests, which name the capabilities. */
  readonly isBeside: boolean;
  /** Shows the requests of a capability. */
  readonly onRoute: (key: string) => void;
}

type RoutesAction = 'requests' | 'show' | 'call' | 'sort' | 'reverse' | 'group' | 'copy' | 'edit';

const bindings: readonly KeyBinding<RoutesAction>[] = [
  { action: 'requests', keys: ['enter'], help: 'Show the requests of the route', hint: 'requests' },
  { action: 'call', keys: ['c'], help: 'Call the capability', hint: 'call' },
  { action: 'show', keys: ['s'], help: 'Show the capability', hint: 'show' },
  { action: 'sort', keys: ['>'], help: 'Sort by the next column', hint: 'sort' },
  { action: 'reverse', keys: ['<'], help: 'Reverse the order' },
  { action: 'group', keys: ['v'], help: 'Group the routes, or show them in one list' },
  { action: 'copy', keys: ['y'], help: 'Copy the address of the route' },
  { action: 'edit', keys: ['e'], help: 'Open the source of the capability in $EDITOR' },
];

/** The routes with what happened on each, and what the last reload did to them. */
export function RoutesPane(props: RoutesPaneProps) {
  const { columns, rows, store, isFocused } = props;
  const { symbols } = useUi();
  const { grouped, layout, sort } = useRoutes(props);
  const indent = grouped.isGrouped ? GROUP_INDENT : 0;
  const unmatched = store.unmatched.summary();
  const hasUnmatched = unmatched.count > 0 && rows > 4;
  const title = [{ text: ' '.repeat(2 + indent) }, ...toRouteTitle(layout, sort)];
  return (
    <Box flexDirection="column" height={rows}>
      <LineView line={fitLine(title, columns, symbols.ellipsis)} />
      <FilteredListView
        list={grouped.list}
        toLine={(entry) =>
          entry.kind === 'group'
            ? toRouteGroupLine(entry, symbols)
            : [{ text: ' '.repeat(indent) }, ...toRouteLine(entry.row, layout, symbols.bars)]
        }
        columns={columns}
        rows={rows - 1 - (hasUnmatched ? 1 : 0)}
        title="Routes"
        isFocused={isFocused}
        empty={
          store.state.readyAt === undefined
            ? 'The server has not started yet.'
            : 'No routes: a server that opens its port by itself does not tell of them.'
        }
      />
      {hasUnmatched && <LineView line={fitLine([toUnmatched(unmatched)], columns, symbols.ellipsis)} />}
    </Box>
  );
}

function toUnmatched({ count, lastStatus }: RouteSummary): Segment {
  const requests = count === 1 ? '1 request' : `${count} requests`;
  return { text: `  no route matched ${requests}, the last got ${lastStatus}`, token: 'muted' };
}

/** The routes in their order and groups, and the keys. */
function useRoutes({ columns, store, isFocused, isBeside, onRoute }: RoutesPaneProps) {
  const { go, project, copy, edit } = useScreen();
  const { changedKeys } = project;
  const [sort, setSort] = useKept('route sort', serverOrder);
  const routes = useMemo(() => toMarkedRoutes(store.routes, changedKeys), [store.routes, changedKeys]);
  // The figures that sort them change where they are, so that there is nothing to remember.
  const isDeclared = sort.by === 'declared' && !sort.isReversed;
  const grouped = useGroupedList(isDeclared ? routes : sortRoutes(routes, sort), {
    name: 'routes',
    getKey: toRouteId,
    getText: toRouteText,
    getGroup: toRouteGroup,
    isDeclared,
  });
  const room = toRowColumns(columns) - (grouped.isGrouped ? GROUP_INDENT : 0);
  const layout = toRouteColumns(routes, room, { isChartFirst: isBeside });
  const { selected, onState } = grouped.list;
  useFoldKeys(grouped, { selected, onState, isActive: isFocused && grouped.isGrouped });
  useKeys<RoutesAction>({
    title: 'Route',
    bindings,
    isActive: isFocused,
    onAction: (action) => {
      if (action === 'sort') return setSort(toNextRouteSort(sort, layout));
      if (action === 'reverse') return setSort({ ...sort, isReversed: !sort.isReversed });
      if (action === 'group') return grouped.toggleGrouped();
      if (selected === undefined) return;
      if (selected.kind === 'group') {
        if (action === 'requests') grouped.toggle(selected.id);
        else if (action === 'copy') copy(selected.name, selected.name);
        return;
      }
      const { key, path } = selected.row.route;
      if (action === 'requests') onRoute(key);
      else if (action === 'copy') copy(`${store.state.urls[0] ?? ''}${path}`, path);
      else if (action === 'edit') edit(project.manifest?.capabilities.find((one) => one.key === key)?.source);
      else go({ screen: action, key });
    },
  });
  return { grouped, layout, sort };
}

/** The server tells which routes came and went; the project, whose contract the last change touched. */
function toMarkedRoutes(routes: readonly RouteEntry[], changedKeys: readonly string[]): readonly RouteEntry[] {
  return routes.map((entry) =>
    entry.mark === undefined && changedKeys.includes(entry.route.key) ? { ...entry, mark: 'changed' } : entry,
  );
}

function toRouteId({ id }: RouteEntry): string {
  return id;
}

function toRouteGroup({ route }: RouteEntry): string {
  return route.key.split('.').slice(0, -1).join('.');
}

function toRouteText({ route }: RouteEntry): string {
  return `${route.method} ${route.path} ${route.key}`;
}
