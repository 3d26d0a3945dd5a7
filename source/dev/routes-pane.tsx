import { Box } from 'ink';
import { useMemo } from 'react';
import type { KeyBinding } from '../ui/key-table.ts';
import { fitLine } from '../ui/line-segments.ts';
import { LineView } from '../ui/line-view.tsx';
import { findSelected, type ListState } from '../ui/list-state.ts';
import { ListView } from '../ui/list-view.tsx';
import { useKeys } from '../ui/use-keys.ts';
import { useKept, useScreen } from '../ui/use-screen.ts';
import { useUi } from '../ui/use-ui.ts';
import { toRouteColumns, toRouteLine, toRouteTitle } from './dev-lines.ts';
import type { DevStore, RouteEntry } from './dev-store.ts';

export interface RoutesPaneProps {
  readonly columns: number;
  readonly rows: number;
  readonly store: DevStore;
  /** Shows the requests of a capability. */
  readonly onRoute: (key: string) => void;
}

type RoutesAction = 'requests' | 'show' | 'call';

const bindings: readonly KeyBinding<RoutesAction>[] = [
  { action: 'requests', keys: ['enter'], help: 'Show the requests of the route', hint: 'requests' },
  { action: 'call', keys: ['c'], help: 'Call the capability', hint: 'call' },
  { action: 'show', keys: ['s'], help: 'Show the capability', hint: 'show' },
];

/** The routes with what happened on each, and what the last reload did to them. */
export function RoutesPane({ columns, rows, store, onRoute }: RoutesPaneProps) {
  const { symbols } = useUi();
  const { go, project } = useScreen();
  const [list, setList] = useKept<ListState | undefined>('routes', undefined);
  const { changedKeys } = project;
  const routes = useMemo(() => toMarkedRoutes(store.routes, changedKeys), [store.routes, changedKeys]);
  const selected = findSelected(routes, list, ({ id }) => id);
  useKeys<RoutesAction>({
    title: 'Route',
    bindings,
    onAction: (action) => {
      if (selected === undefined) return;
      const { key } = selected.route;
      if (action === 'requests') onRoute(key);
      else go({ screen: action, key });
    },
  });
  const layout = toRouteColumns(routes, columns - 3);
  const unmatched = store.unmatched.summary();
  const hasUnmatched = unmatched.count > 0 && rows > 4;
  return (
    <Box flexDirection="column" height={rows}>
      <LineView line={fitLine([{ text: '  ' }, ...toRouteTitle(layout)], columns, symbols.ellipsis)} />
      <ListView
        items={routes}
        getKey={({ id }) => id}
        toLine={(route) => toRouteLine(route, layout)}
        state={list}
        onState={setList}
        columns={columns}
        rows={rows - 1 - (hasUnmatched ? 1 : 0)}
        title="Routes"
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
