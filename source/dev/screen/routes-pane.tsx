import { useMemo } from 'react';
import type { ServedRoute } from '../../../server-runtime/server/transport.ts';
import type { Row } from '../../kit/row.ts';
import { RowsView } from '../../kit/rows-view.tsx';
import { type Column, type TableRows, toTableRows } from '../../kit/table.ts';
import { toMethodToken, toStatusText, toStatusToken } from '../../kit/theme.ts';
import { useRows } from '../../kit/use-rows.ts';
import { findSource, type Manifest } from '../../manifest/manifest.ts';
import { useNavigation, useProject, useServices } from '../../screens/use-screen.ts';
import { toDuration } from '../../values/duration.ts';
import type { DevStore, RouteEntry, RouteStats } from './dev-store.ts';
import type { PaneProps } from './pane.tsx';

interface RoutesPaneProps extends Pick<PaneProps<never>, 'dev' | 'columns' | 'rows' | 'isFocused'> {
  readonly onRoute: (key: string) => void;
}

/** The routes with what happened on each, and what the last reload did to them. */
export function RoutesPane({ columns, rows, dev: { store }, isFocused, onRoute }: RoutesPaneProps) {
  const { copy, edit } = useServices();
  const { go } = useNavigation();
  const { project } = useProject();
  const { changedKeys } = project;
  const { routes } = store;
  const version = store.version();
  const { rows: all, toTitles } = useMemo(() => {
    // The server tells which routes came and went; the project, whose contract the last change touched.
    const marked = routes.map(
      (entry): RouteEntry =>
        entry.mark === undefined && changedKeys.includes(entry.route.key)
          ? { ...entry, mark: 'changed' }
          : entry,
    );
    // The figures change where they are.
    return { version, ...toRouteRows(marked) };
  }, [version, routes, changedKeys]);
  const list = useRows<RouteRow>(all, 'routes');
  const { key = '', path = '' } = list.selected?.route ?? {};
  const actions = {
    go: { help: 'Show the requests of the route', hint: 'requests', run: () => onRoute(key) },
    call: () => go({ screen: 'call', key }),
    show: () => go({ screen: 'show', key }),
    copy: {
      help: 'Copy the address of the route',
      run: () => copy(`${store.state.urls[0] ?? ''}${path}`, path),
    },
    edit: {
      help: 'Open the source of the capability in $EDITOR',
      run: () => edit(findSource(project.manifest, key)),
    },
  };
  const empty = toEmptyText(store, project.manifest);
  return (
    <RowsView
      {...{ list, columns, rows, isFocused, empty }}
      actions={list.selected && actions}
      toHeader={toTitles}
    />
  );
}

function toEmptyText({ state }: DevStore, manifest: Manifest | undefined): string {
  if (state.readyAt === undefined) return 'The server has not started yet.';
  if (manifest?.keys.length === 0) return 'The project has no capability yet.';
  return 'The server has started no routes of capabilities. All its requests are in the next view.';
}

interface RouteRow extends Row {
  readonly route: ServedRoute;
}

/** The routes in the order of the server. */
export function toRouteRows(routes: readonly RouteEntry[]): TableRows<RouteRow> {
  return toTableRows<RouteEntry, RouteRow>(routes, {
    columns: tableColumns,
    toRow: ({ id, route, mark }, toLine) => ({
      id,
      route,
      line: toLine(mark === 'removed' ? 'removed' : undefined),
      search: `${route.method} ${route.path} ${route.key}`,
    }),
  });
}

const tableColumns: readonly Column<RouteEntry>[] = [
  {
    title: 'Method',
    get: ({ route }) => route.method,
    token: ({ route }) => toMethodToken(route.method),
  },
  { title: 'Path', get: ({ route }) => route.path, most: 60, least: 8 },
  {
    title: 'Capability',
    get: ({ route }) => route.key,
    token: 'muted',
    most: 48,
    least: 14,
    from: 72,
  },
  {
    title: 'Count',
    get: ({ stats }) => `${stats.count}`,
    token: ({ stats }) => (stats.count === 0 ? 'muted' : undefined),
    isRight: true,
  },
  {
    title: 'Errors',
    get: ({ stats }) => toRate(stats),
    token: ({ stats }) => (stats.errorCount > 0 ? 'danger' : 'muted'),
    isRight: true,
    from: 46,
  },
  {
    title: 'p95',
    get: ({ stats }) => (stats.count === 0 ? '' : toDuration(stats.p95Ms())),
    isRight: true,
    from: 54,
  },
  {
    title: 'Last',
    get: ({ stats }) => (stats.lastStatus === undefined ? '' : toStatusText(stats.lastStatus)),
    token: ({ stats }) => toStatusToken(stats.lastStatus ?? 200),
    from: 30,
  },
  {
    title: '',
    get: ({ mark = '' }) => mark,
    token: ({ mark }) => (mark === 'new' ? 'added' : 'changed'),
  },
];

/** Rounded up: one error of many is not none. */
function toRate({ count, errorCount }: RouteStats): string {
  return count === 0 ? '' : `${Math.ceil((100 * errorCount) / count)} %`;
}
