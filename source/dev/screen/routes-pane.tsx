import { Box } from 'ink';
import { useMemo } from 'react';
import { toBindings } from '../../kit/actions.ts';
import { fitLine, type Segment } from '../../kit/line.ts';
import { LineView } from '../../kit/line-view.tsx';
import { RowsView } from '../../kit/rows-view.tsx';
import { useKeys } from '../../kit/use-keys.ts';
import { useRows } from '../../kit/use-rows.ts';
import type { Size } from '../../kit/use-ui.ts';
import { findSource } from '../../manifest/listed.ts';
import type { Manifest } from '../../manifest/manifest.ts';
import { useScreen } from '../../screens/use-screen.ts';
import type { DevStore, RouteEntry, RouteStats } from './dev-store.ts';
import { type RouteRow, toRouteRows } from './route-rows.ts';

export interface RoutesPaneProps extends Size {
  readonly store: DevStore;
  /** Whether it has the keys. */
  readonly isFocused: boolean;
  /** Shows the requests of a capability. */
  readonly onRoute: (key: string) => void;
}

const bindings = toBindings(['go', 'call', 'show', 'copy', 'edit'], {
  go: { help: 'Show the requests of the route', hint: 'requests' },
  copy: { help: 'Copy the address of the route' },
  edit: { help: 'Open the source of the capability in $EDITOR' },
});

/** The routes with what happened on each, and what the last reload did to them. */
export function RoutesPane({ columns, rows, store, isFocused, onRoute }: RoutesPaneProps) {
  const { go, project, copy, edit } = useScreen();
  const { changedKeys } = project;
  const { routes } = store;
  const version = store.version();
  // The figures change where they are.
  const { rows: all, toTitles } = useMemo(
    () => ({ version, ...toRouteRows(toMarkedRoutes(routes, changedKeys)) }),
    [version, routes, changedKeys],
  );
  const list = useRows<RouteRow>(all, 'routes');
  useKeys({
    title: 'Route',
    bindings,
    isActive: isFocused,
    onAction: (action) => {
      const { selected } = list;
      if (selected === undefined) return;
      const { entry, id } = selected;
      if (entry === undefined) return action === 'go' ? list.toggle(id) : undefined;
      const { key, path } = entry.route;
      if (action === 'go') onRoute(key);
      else if (action === 'copy') copy(`${store.state.urls[0] ?? ''}${path}`, path);
      else if (action === 'edit') edit(findSource(project.manifest, key));
      else go({ screen: action, key });
    },
  });
  const { unmatched } = store;
  const hasUnmatched = unmatched.count > 0 && rows > 4;
  return (
    <Box flexDirection="column" height={rows}>
      <RowsView
        list={list}
        columns={columns}
        rows={rows - (hasUnmatched ? 1 : 0)}
        toHeader={toTitles}
        title="Routes"
        isFocused={isFocused}
        empty={toEmptyText(store, project.manifest)}
      />
      {hasUnmatched && <LineView line={fitLine([toUnmatched(unmatched)], columns)} />}
    </Box>
  );
}

function toEmptyText({ state }: DevStore, manifest: Manifest | undefined): string {
  if (state.readyAt === undefined) return 'The server has not started yet.';
  if (manifest?.keys.length === 0) return 'The project has no capability yet.';
  return 'No routes: a server that opens its port by itself does not tell of them.';
}

function toUnmatched({ count, lastStatus }: RouteStats): Segment {
  const requests = count === 1 ? '1 request' : `${count} requests`;
  return { text: `  no route matched ${requests}, the last got ${lastStatus}`, token: 'muted' };
}

/** The server tells which routes came and went; the project, whose contract the last change touched. */
function toMarkedRoutes(routes: readonly RouteEntry[], changedKeys: readonly string[]): readonly RouteEntry[] {
  return routes.map((entry) =>
    entry.mark === undefined && changedKeys.includes(entry.route.key) ? { ...entry, mark: 'changed' } : entry,
  );
}
