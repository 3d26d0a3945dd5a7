import { Box } from 'ink';
import { type ReactNode, useState } from 'react';
import { fitLine } from '../../kit/line.ts';
import { LineView } from '../../kit/line-view.tsx';
import { noFilter } from '../../kit/list-state.ts';
import { toTextField } from '../../kit/text-field-state.ts';
import { useKept } from '../../kit/use-kept.ts';
import type { Size } from '../../kit/use-ui.ts';
import { TwoPanes } from '../../screens/master-detail.tsx';
import type { ShownJob } from '../../serve/job-watch.ts';
import type { DevStore, RequestEntry } from './dev-store.ts';
import { JobsPane } from './jobs-pane.tsx';
import type { LogLine } from './log-lines.ts';
import { LogsPane } from './logs-pane.tsx';
import { type PaneCounts, type PaneName, toPaneTitle, toTabLine } from './pane-name.ts';
import { RequestsPane } from './requests-pane.tsx';
import { RoutesPane } from './routes-pane.tsx';
import type { OpenDev } from './use-dev.ts';

export interface DevPanesProps extends Size {
  readonly dev: OpenDev;
  /** The view that has the keys. */
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
  const counts = toPaneCounts(dev.store);
  const [opened, setOpened] = useKept<Opened>('opened', {});
  const [, setRequestFilter] = useKept('requests filter', noFilter);
  // The list of requests begins with the filter that a route has given it.
  const [routesChosen, setRoutesChosen] = useState(0);
  const onRoute = (key: string): void => {
    setRequestFilter({ ...noFilter, field: toTextField(key) });
    setRoutesChosen(routesChosen + 1);
    setOpened({ ...opened, requests: undefined });
    onOpen('requests');
  };
  const onRequest = (requests: RequestEntry): void => {
    setOpened({ ...opened, requests });
    onOpen('requests');
  };
  const toView = (name: PaneName, size: Size): ReactNode => {
    const place = { ...size, dev, isFocused: name === open };
    switch (name) {
      case 'routes':
        return <RoutesPane {...place} store={dev.store} onRoute={onRoute} />;
      case 'requests': {
        const onOpened = (requests: RequestEntry | undefined) => setOpened({ ...opened, requests });
        return <RequestsPane key={routesChosen} {...place} opened={opened.requests} onOpened={onOpened} />;
      }
      case 'jobs':
        return <JobsPane {...place} opened={opened.jobs} onOpened={(jobs) => setOpened({ ...opened, jobs })} />;
      case 'logs': {
        const onOpened = (logs: LogLine | undefined) => setOpened({ ...opened, logs });
        return <LogsPane {...place} opened={opened.logs} {...{ onOpened, onRequest }} />;
      }
    }
  };
  if (!isSplit || (open !== 'routes' && opened[open] !== undefined)) {
    return (
      <>
        <LineView line={fitLine(toTabLine(open, counts, columns), columns)} />
        {toView(open, { columns, rows: rows - 1 })}
      </>
    );
  }
  const toPane = (name: PaneName) => (size: Size) => (
    <Box flexDirection="column" height={size.rows} width={size.columns} overflowY="hidden">
      <LineView line={toPaneTitle(name, counts, { columns: size.columns, isFocused: name === open })} />
      {toView(name, { ...size, rows: size.rows - 1 })}
    </Box>
  );
  const toRow = (first: PaneName, second: PaneName, height: number): ReactNode => (
    <TwoPanes {...{ columns, rows: height }} secondRows={() => 0} first={toPane(first)} second={toPane(second)} />
  );
  const below = Math.floor(rows * LOG_SHARE);
  return (
    <>
      {toRow('routes', 'requests', rows - below)}
      {counts.jobs === undefined ? toPane('logs')({ columns, rows: below }) : toRow('logs', 'jobs', below)}
    </>
  );
}

/** The number that stands behind each view. */
export function toPaneCounts(store: DevStore): PaneCounts {
  const { queues } = store.jobs;
  return {
    routes: store.routes.length,
    requests: store.requestTotal,
    logs: store.logs.total,
    jobs: store.hasJobs
      ? queues.reduce((sum, { waiting, delayed, active, failed }) => sum + waiting + delayed + active + failed, 0)
      : undefined,
  };
}
