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

/** The views: all of them in a wide window, else the open one. A route leads to its requests, a line to its request. */
export function DevPanes({ columns, rows, dev, open, onOpen, isSplit }: DevPanesProps) {
  const { toView, isRequestOpened, isJobOpened } = useViews({ dev, open, onOpen });
  const { store } = dev;
  const counts = toPaneCounts(store);
  if (!isSplit) {
    return (
      <>
        <LineView line={fitLine(toTabLine(open, { counts, columns }), columns)} />
        {toView(open, { columns, rows: rows - 1 })}
      </>
    );
  }
  const toPane = (name: PaneName) => (size: Size) => (
    <TitledPane {...size} name={name} counts={counts} isFocused={name === open}>
      {toView(name, { columns: size.columns, rows: size.rows - 1 })}
    </TitledPane>
  );
  const below = Math.floor(rows * LOG_SHARE);
  return (
    <>
      {isRequestOpened || isJobOpened ? (
        toPane(isJobOpened ? 'jobs' : 'requests')({ columns, rows: rows - below })
      ) : (
        <TwoPanes
          columns={columns}
          rows={rows - below}
          secondColumns={toRequestColumns}
          secondRows={() => 0}
          first={toPane('routes')}
          second={toPane('requests')}
        />
      )}
      {counts.jobs === undefined || isJobOpened ? (
        toPane('logs')({ columns, rows: below })
      ) : (
        <TwoPanes
          columns={columns}
          rows={below}
          secondColumns={toJobsColumns}
          secondRows={() => 0}
          first={toPane('logs')}
          second={toPane('jobs')}
        />
      )}
    </>
  );
}

/** The share of the height that the log has below the others. */
const LOG_SHARE = 0.4;

/** A route has more to tell than a request. */
function toRequestColumns(columns: number): number {
  return Math.floor(columns * 0.42);
}

function toJobsColumns(columns: number): number {
  return Math.floor(columns * 0.5);
}

/** The number that stands behind each view. */
export function toPaneCounts(store: DevStore): PaneCounts {
  return {
    routes: store.routes.length,
    requests: store.requestTotal,
    logs: store.logs.total,
    jobs: store.hasJobs ? countJobs(store.jobs.queues) : undefined,
  };
}

function countJobs(queues: DevStore['jobs']['queues']): number {
  return queues.reduce((sum, { waiting, delayed, active, failed }) => sum + waiting + delayed + active + failed, 0);
}

interface TitledPaneProps extends Size {
  readonly name: PaneName;
  readonly counts: PaneCounts;
  readonly isFocused: boolean;
  readonly children: ReactNode;
}

function TitledPane({ name, counts, columns, rows, isFocused, children }: TitledPaneProps) {
  return (
    <Box flexDirection="column" height={rows} width={columns} overflowY="hidden">
      <LineView line={toPaneTitle(name, { counts, columns, isFocused })} />
      {children}
    </Box>
  );
}

function useViews({ dev, open, onOpen }: Pick<DevPanesProps, 'dev' | 'open' | 'onOpen'>) {
  const [, setRequestFilter] = useKept('requests filter', noFilter);
  // The list of requests begins with the filter that a route has given it.
  const [routesChosen, setRoutesChosen] = useState(0);
  const [request, setRequest] = useKept<RequestEntry | undefined>('opened', undefined);
  // One request has more to read than the list of all: it has the place of the routes, too.
  const [job, setJob] = useKept<ShownJob | undefined>('openedJob', undefined);
  const isJobOpened = job !== undefined && open === 'jobs';
  const isRequestOpened = request !== undefined && open === 'requests';
  const toView = (name: PaneName, size: Size): ReactNode => {
    const place = { ...size, isFocused: name === open };
    switch (name) {
      case 'routes':
        return (
          <RoutesPane
            {...place}
            store={dev.store}
            onRoute={(key) => {
              setRequestFilter({ ...noFilter, field: toTextField(key) });
              setRoutesChosen(routesChosen + 1);
              setRequest(undefined);
              onOpen('requests');
            }}
          />
        );
      case 'requests':
        return <RequestsPane key={routesChosen} {...place} dev={dev} opened={request} onOpened={setRequest} />;
      case 'jobs':
        return <JobsPane {...place} dev={dev} opened={job} onOpened={setJob} />;
      case 'logs':
        return (
          <LogsPane
            {...place}
            dev={dev}
            onRequest={(found) => {
              setRequest(found);
              onOpen('requests');
            }}
          />
        );
    }
  };
  return { toView, isRequestOpened, isJobOpened };
}
