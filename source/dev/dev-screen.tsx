import { Box } from 'ink';
import { useKept } from '../kit/kept/use-kept.ts';
import type { KeyBinding } from '../kit/keys/key-binding.ts';
import { useKeys } from '../kit/keys/use-keys.ts';
import { fitLine, type Line } from '../kit/line/line.ts';
import { LineView } from '../kit/line/line-view.tsx';
import { useBodySize, useUi } from '../kit/theme/use-ui.ts';
import { LoadingLine } from '../screens/shell/loading-line.tsx';
import { ScreenFrame } from '../screens/shell/screen-frame.tsx';
import { Shell } from '../screens/shell/shell.tsx';
import { useScreen } from '../screens/use-screen.ts';
import { openInBrowser } from '../system/open-in-browser.ts';
import { toAlarmLines } from './alarm/alarm-lines.ts';
import { useContractAlarm } from './alarm/use-contract-alarm.ts';
import { toDevStatus, toPhaseToken } from './dev-state.ts';
import type { RequestEntry } from './dev-store.ts';
import { LogsPane } from './panes/log/logs-pane.tsx';
import { RequestsPane } from './panes/requests/requests-pane.tsx';
import { RoutesPane } from './panes/routes/routes-pane.tsx';
import { type OpenDev, useDev } from './use-dev.ts';

type Tab = 'routes' | 'requests' | 'logs';
type DevAction = Tab | 'next' | 'previous' | 'restart' | 'browser' | 'contract';

const tabs: readonly Tab[] = ['routes', 'requests', 'logs'];

const bindings: readonly KeyBinding<DevAction>[] = [
  { action: 'next', keys: ['tab'], help: 'The next view', hint: 'view' },
  { action: 'previous', keys: ['shift+tab'], help: 'The previous view' },
  { action: 'routes', keys: ['1'], help: 'The routes' },
  { action: 'requests', keys: ['2'], help: 'The requests' },
  { action: 'logs', keys: ['3'], help: 'The log' },
  { action: 'restart', keys: ['r'], help: 'Restart the server', hint: 'restart' },
  { action: 'browser', keys: ['o'], help: 'Open the server in the browser' },
  { action: 'contract', keys: ['d'], help: 'What changes for callers since the last commit' },
];

/** `capix dev`: the server, how it stands, its routes, its requests, its log. */
export default function DevScreen() {
  const dev = useDev();
  const { project, notice, back, commands, edit, stop } = useScreen();
  if (dev === undefined) {
    return (
      <ScreenFrame screen="dev">
        <LoadingLine />
      </ScreenFrame>
    );
  }
  const { state } = dev.store;
  return (
    <Shell
      project={dev.name}
      screen="dev"
      status={toDevStatus(state)}
      problemCount={project.manifest?.problems.length ?? 0}
      failure={state.failure}
      onEditFailure={state.failure?.place && (() => edit(state.failure?.place))}
      onStop={stop}
      trouble={state.watchTrouble}
      notice={notice}
      commands={commands}
      onBack={back}
    >
      <DevBody dev={dev} />
    </Shell>
  );
}

function DevBody({ dev }: { readonly dev: OpenDev }) {
  const { go } = useScreen();
  const { store, session } = dev;
  const { columns, rows } = useBodySize();
  const { symbols } = useUi();
  const [tab, setTab] = useKept<Tab>('tab', 'routes');
  const alarm = useContractAlarm();
  useKeys<DevAction>({
    title: 'Server',
    bindings,
    onAction: (action) => {
      if (action === 'restart') session.restart();
      else if (action === 'browser') openServer(store.state.urls);
      else if (action === 'contract') go({ screen: 'diff', before: 'HEAD' });
      else if (action === 'next') setTab(toNeighbour(tab, 1));
      else if (action === 'previous') setTab(toNeighbour(tab, -1));
      else setTab(action);
    },
  });
  const head: readonly Line[] = [
    [
      { text: ` ${symbols.live} `, token: toPhaseToken(store.state) },
      {
        text:
          store.state.readyAt === undefined
            ? ''
            : `${[...store.state.urls, ...(store.state.networkUrls ?? [])].join('  ')}  `,
        token: 'accent',
      },
      { text: store.state.text },
    ],
    ...toAlarmLines(alarm, { columns, rows: Math.max(2, Math.floor(rows / 4)), symbol: symbols.warning }),
    toTabLine(tab, {
      counts: { routes: store.routes.length, requests: store.requestTotal, logs: store.logs.total },
      columns,
    }),
  ];
  const size = { columns, rows: rows - head.length };
  return (
    <Box flexDirection="column" height={rows}>
      {head.map((line, index) => (
        <LineView key={index} line={fitLine(line, columns, symbols.ellipsis)} />
      ))}
      <OpenPane {...size} dev={dev} tab={tab} onTab={setTab} />
    </Box>
  );
}

interface OpenPaneProps {
  readonly columns: number;
  readonly rows: number;
  readonly dev: OpenDev;
  readonly tab: Tab;
  readonly onTab: (tab: Tab) => void;
}

/** The view that is open; a route leads to its requests, and a line of the log to its request. */
function OpenPane({ dev, tab, onTab, ...size }: OpenPaneProps) {
  const [routeKey, setRouteKey] = useKept<string | undefined>('routeKey', undefined);
  const [, setRequest] = useKept<RequestEntry | undefined>('opened', undefined);
  switch (tab) {
    case 'routes':
      return (
        <RoutesPane
          {...size}
          store={dev.store}
          onRoute={(key) => {
            setRouteKey(key);
            onTab('requests');
          }}
        />
      );
    case 'requests':
      return <RequestsPane {...size} dev={dev} routeKey={routeKey} onRouteKey={setRouteKey} />;
    case 'logs':
      return (
        <LogsPane
          {...size}
          dev={dev}
          onRequest={(request) => {
            setRequest(request);
            onTab('requests');
          }}
        />
      );
  }
}

function openServer([url]: readonly string[]): void {
  if (url !== undefined) void openInBrowser(url);
}

function toNeighbour(tab: Tab, by: 1 | -1): Tab {
  return tabs[(tabs.indexOf(tab) + by + tabs.length) % tabs.length] ?? 'routes';
}

function toTabLine(
  open: Tab,
  { counts, columns }: { readonly counts: Readonly<Record<Tab, number>>; readonly columns: number },
): Line {
  const gap = columns < 50 ? ' ' : '   ';
  return tabs.flatMap((tab, index): Line => {
    const text = `${index + 1} ${tab} ${counts[tab]}`;
    return [
      { text: index === 0 ? ' ' : gap },
      tab === open ? { text: `[${text}]`, token: 'title' } : { text: ` ${text} `, token: 'muted' },
    ];
  });
}
