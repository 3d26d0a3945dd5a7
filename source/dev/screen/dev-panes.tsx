import { Box } from 'ink';
import { type ReactNode, useState } from 'react';
import { fitLine, type Line, lineWidth } from '../../kit/line.ts';
import { LineView } from '../../kit/line-view.tsx';
import { noFilter } from '../../kit/list-state.ts';
import { cutText, textWidth } from '../../kit/text.ts';
import { toTextField } from '../../kit/text-field-state.ts';
import { signs } from '../../kit/theme.ts';
import { type Size, useMemory } from '../../kit/use-ui.ts';
import { TwoPanes } from '../../screens/master-detail.tsx';
import type { ShownJob } from '../../serve/job-watch.ts';
import type { DevStore, RequestEntry } from './dev-store.ts';
import { JobsPane } from './jobs-pane.tsx';
import type { LogLine } from './log-lines.ts';
import { LogsPane } from './logs-pane.tsx';
import { RequestsPane } from './requests-pane.tsx';
import { RoutesPane } from './routes-pane.tsx';
import type { OpenDev } from './use-dev.ts';

/** The views of the dev screen, in the order of their numbers. */
const paneNames = ['routes', 'requests', 'logs', 'jobs'] as const;
export type PaneName = (typeof paneNames)[number];

/** All are shown together; in a lower window each would have a few rows. */
export function hasRoomForAll({ columns, rows }: Size): boolean {
  return columns >= 120 && rows >= 16;
}

/** The views that there are: that of jobs only where there are jobs. */
export function listPanes({ hasJobs }: DevStore): readonly PaneName[] {
  return paneNames.filter((name) => name !== 'jobs' || hasJobs);
}

export interface DevPanesProps extends Size {
  readonly dev: OpenDev;
  readonly open: PaneName;
  readonly onOpen: (name: PaneName) => void;
  /** Whether all are shown together, else one. */
  readonly isSplit: boolean;
}

/** The things that are shown whole in place of their lists. */
interface Opened {
  readonly requests?: RequestEntry | undefined;
  readonly logs?: LogLine | undefined;
  readonly jobs?: ShownJob | undefined;
}

/** The share of the height that log and jobs have below the others. */
const LOG_SHARE = 0.4;

/** The views: all of them in a wide window, else one; also where it shows one thing whole. */
export function DevPanes({ columns, rows, dev, open, onOpen, isSplit }: DevPanesProps) {
  const { store } = dev;
  const [opened, setOpened] = useMemory<Opened>('opened', {});
  const setRequestFilter = useMemory('requests filter', noFilter)[1];
  // The list of requests begins with the filter of the route that led here.
  const [routesChosen, setRoutesChosen] = useState(0);
  const openIn =
    <Name extends keyof Opened>(name: Name) =>
    (thing: Opened[Name]): void =>
      setOpened({ ...opened, [name]: thing });
  const onRequest = (request: RequestEntry | undefined): void => {
    openIn('requests')(request);
    onOpen('requests');
  };
  const onRoute = (key: string): void => {
    setRequestFilter({ ...noFilter, field: toTextField(key) });
    setRoutesChosen(routesChosen + 1);
    onRequest(undefined);
  };
  const toView = (name: PaneName, size: Size): ReactNode => {
    const place = { ...size, dev, isFocused: name === open };
    switch (name) {
      case 'routes':
        return <RoutesPane {...place} onRoute={onRoute} />;
      case 'requests':
        return (
          <RequestsPane
            key={routesChosen}
            {...place}
            opened={opened.requests}
            onOpened={openIn('requests')}
          />
        );
      case 'jobs':
        return <JobsPane {...place} opened={opened.jobs} onOpened={openIn('jobs')} />;
      case 'logs':
        return (
          <LogsPane
            {...place}
            opened={opened.logs}
            onOpened={openIn('logs')}
            onRequest={onRequest}
          />
        );
    }
  };
  if (!isSplit || (open !== 'routes' && opened[open] !== undefined)) {
    return (
      <>
        <LineView line={fitLine(toTabLine(open, store, columns), columns)} />
        {toView(open, { columns, rows: rows - 1 })}
      </>
    );
  }
  const toPane = (name: PaneName) => (size: Size) => (
    <Box flexDirection="column" height={size.rows} width={size.columns} overflowY="hidden">
      <LineView line={toPaneTitle(toTitle(name, store), size.columns, name === open)} />
      {toView(name, { ...size, rows: size.rows - 1 })}
    </Box>
  );
  const toRow = (first: PaneName, second: PaneName, height: number): ReactNode => (
    <TwoPanes
      {...{ columns, rows: height }}
      secondRows={() => 0}
      first={toPane(first)}
      second={toPane(second)}
    />
  );
  const below = Math.floor(rows * LOG_SHARE);
  return (
    <>
      {toRow('routes', 'requests', rows - below)}
      {store.hasJobs ? toRow('logs', 'jobs', below) : toPane('logs')({ columns, rows: below })}
    </>
  );
}

/** ` [1 routes 9]  2 requests 0  3 logs 0`: the names where one is shown. A narrow window leaves counts out. */
function toTabLine(open: PaneName, store: DevStore, columns: number): Line {
  const toLine = (toText: (name: PaneName) => string): Line =>
    listPanes(store).flatMap((name, index) => [
      { text: index === 0 ? ' ' : '  ' },
      name === open
        ? { text: `[${toText(name)}]`, token: 'title' }
        : { text: toText(name), token: 'muted' },
    ]);
  const whole = toLine((name) => toTitle(name, store));
  return lineWidth(whole) <= columns ? whole : toLine(toNumberedName);
}

/** `─[1 routes 9]──────`: above a view that is shown beside others. In brackets where it has the keys. */
function toPaneTitle(title: string, columns: number, isFocused: boolean): Line {
  const shown = cutText(isFocused ? `[${title}]` : ` ${title} `, columns - 1);
  return [
    { text: signs.line, token: 'muted' },
    { text: shown, token: isFocused ? 'key' : 'title' },
    { text: signs.line.repeat(Math.max(0, columns - 1 - textWidth(shown))), token: 'muted' },
  ];
}

function toTitle(name: PaneName, { routes, requestTotal, logs, jobTotal }: DevStore): string {
  const counts = {
    routes: routes.length,
    requests: requestTotal,
    logs: logs.total,
    jobs: jobTotal,
  };
  return `${toNumberedName(name)} ${counts[name]}`;
}

/** `1 routes` */
function toNumberedName(name: PaneName): string {
  return `${paneNames.indexOf(name) + 1} ${name}`;
}
