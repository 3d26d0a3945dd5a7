import { Box } from 'ink';
import { useMemo } from 'react';
import type { KeyBinding } from '../../../kit/keys/key-binding.ts';
import { useKeys } from '../../../kit/keys/use-keys.ts';
import { fitLine } from '../../../kit/line/line.ts';
import { LineView } from '../../../kit/line/line-view.tsx';
import { FilteredListView } from '../../../kit/list/filtered-list-view.tsx';
import { toRowColumns } from '../../../kit/list/to-scroll-marks.ts';
import { useFilteredList } from '../../../kit/list/use-filtered-list.ts';
import { useUi } from '../../../kit/theme/use-ui.ts';
import { useScreen } from '../../../screens/use-screen.ts';
import type { DevStore, RouteEntry } from '../../dev-store.ts';
import { toRouteColumns, toRouteLine, toRouteTitle } from './route-columns.ts';

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

type RoutesAction = 'requests' | 'show' | 'call' | 'copy' | 'edit';

const bindings: readonly KeyBinding<RoutesAction>[] = [
  { action: 'requests', keys: ['enter'], help: 'Show the requests of the route', hint: 'requests' },
  { action: 'call', keys: ['c'], help: 'Call the capability', hint: 'call' },
  { action: 'show', keys: ['s'], help: 'Show the capability', hint: 'show' },
  { action: 'copy', keys: ['y'], help: 'Copy the address of the route' },
  { action: 'edit', keys: ['e'], help: 'Open the source of the capability in $EDITOR' },
];

/** The routes with what happened on each, and what the last reload did to them. */
export function RoutesPane({ columns, rows, store, isFocused, isBeside, onRoute }: RoutesPaneProps) {
  const { symbols } = useUi();
  const { go, project, copy, edit } = useScreen();
  const { changedKeys } = project;
  const routes = useMemo(() => toMarkedRoutes(store.routes, changedKeys), [store.routes, changedKeys]);
  const list = useFilteredList(routes, { name: 'routes', getKey: toRouteId, getText: toRouteText });
  const { selected } = list;
  useKeys<RoutesAction>({
    title: 'Route',
    bindings,
    isActive: isFocused,
    onAction: (action) => {
      if (selected === undefined) return;
      const { key, path } = selected.route;
      if (action === 'requests') onRoute(key);
      else if (action === 'copy') copy(`${store.state.urls[0] ?? ''}${path}`, path);
      else if (action === 'edit') edit(project.manifest?.capabilities.find((one) => one.key === key)?.source);
      else go({ screen: action, key });
    },
  });
  const layout = toRouteColumns(routes, toRowColumns(columns), { isChartFirst: isBeside });
  const unmatched = store.unmatched.summary();
  const hasUnmatched = unmatched.count > 0 && rows > 4;
  return (
    <Box flexDirection="column" height={rows}>
      <LineView line={fitLine([{ text: '  ' }, ...toRouteTitle(layout)], columns, symbols.ellipsis)} />
      <FilteredListView
        list={list}
        toLine={(route) => toRouteLine(route, layout, symbols.bars)}
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
      {hasUnmatched && (
        <LineView
          line={fitLine(
            [
              {
                text: `  no route matched ${unmatched.count === 1 ? '1 request' : `${unmatched.count} requests`}, the last got ${unmatched.lastStatus}`,
                token: 'muted',
              },
            ],
            columns,
            symbols.ellipsis,
          )}
        />
      )}
    </Box>
  );
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

function toRouteText({ route }: RouteEntry): string {
  return `${route.method} ${route.path} ${route.key}`;
}
