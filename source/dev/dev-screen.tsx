import { Box } from 'ink';
import { useKept } from '../kit/kept/use-kept.ts';
import type { KeyBinding } from '../kit/keys/key-binding.ts';
import { useKeys } from '../kit/keys/use-keys.ts';
import { fitLine, type Line } from '../kit/line/line.ts';
import { LineView } from '../kit/line/line-view.tsx';
import { type Size, useBodySize, useUi } from '../kit/theme/use-ui.ts';
import { LoadingLine } from '../screens/shell/loading-line.tsx';
import { ScreenFrame } from '../screens/shell/screen-frame.tsx';
import { Shell } from '../screens/shell/shell.tsx';
import { useScreen } from '../screens/use-screen.ts';
import { openInBrowser } from '../system/open-in-browser.ts';
import { type AlarmView, toAlarmLines } from './alarm/alarm-lines.ts';
import { useContractAlarm } from './alarm/use-contract-alarm.ts';
import { toDevStatus, toPhaseToken } from './dev-state.ts';
import { DevPanes, toPaneCounts } from './panes/dev-panes.tsx';
import { hasRoomForAll, listPanes, type PaneName, toNeighbour } from './panes/pane-name.ts';
import { type OpenDev, useDev } from './use-dev.ts';

type DevAction = PaneName | 'next' | 'previous' | 'zoom' | 'restart' | 'browser' | 'contract';

const bindings: readonly KeyBinding<DevAction>[] = [
  { action: 'next', keys: ['tab'], help: 'The next view', hint: 'view' },
  { action: 'previous', keys: ['shift+tab'], help: 'The previous view' },
  { action: 'routes', keys: ['1'], help: 'The routes' },
  { action: 'requests', keys: ['2'], help: 'The requests' },
  { action: 'logs', keys: ['3'], help: 'The log' },
  { action: 'restart', keys: ['r'], help: 'Restart the server', hint: 'restart' },
  { action: 'browser', keys: ['o'], help: 'Open the server in the browser' },
  { action: 'contract', keys: ['d'], help: 'Compare the contract with that of the last commit' },
];
const zoom: KeyBinding<DevAction> = {
  action: 'zoom',
  keys: ['z'],
  help: 'This view alone, or all together',
  hint: 'zoom',
};
const jobs: KeyBinding<DevAction> = { action: 'jobs', keys: ['4'], help: 'The jobs' };
const wideBindings: readonly KeyBinding<DevAction>[] = [...bindings, zoom];
const jobBindings: readonly KeyBinding<DevAction>[] = [...bindings, jobs];
const wideJobBindings: readonly KeyBinding<DevAction>[] = [...bindings, jobs, zoom];

const alarmBindings: readonly KeyBinding<'fold' | 'accept'>[] = [
  { action: 'fold', keys: ['!'], help: 'Count the changes that break callers, or list them', hint: 'fold alarm' },
  {
    action: 'accept',
    keys: ['A'],
    help: 'Accept the breaking changes until the next commit, or stop accepting them',
    hint: 'accept',
  },
];

/** `capix dev`: the server, how it stands, its routes, its requests, its log, its jobs. */
export default function DevScreen() {
  const dev = useDev();
  const { findings, notice, back, commands, edit, stop } = useScreen();
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
      problemCount={findings?.length ?? 0}
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
  const [kept, setPane] = useKept<PaneName>('tab', 'routes');
  const names = listPanes(toPaneCounts(store));
  const hasJobs = names.includes('jobs');
  // A reload may have taken the jobs away.
  const pane = names.includes(kept) ? kept : 'routes';
  const [isZoomed, setIsZoomed] = useKept('zoomed', false);
  const alarm = useAlarmKeys();
  const head = useHead(dev, { alarm, columns, rows });
  const size = { columns, rows: rows - head.length };
  const canSplit = hasRoomForAll(size);
  useKeys<DevAction>({
    title: 'Server',
    bindings: hasJobs ? (canSplit ? wideJobBindings : jobBindings) : canSplit ? wideBindings : bindings,
    onAction: (action) => {
      if (action === 'restart') session.restart();
      else if (action === 'browser') openServer(store.state.urls);
      else if (action === 'contract') go({ screen: 'diff', before: 'HEAD' });
      else if (action === 'zoom') setIsZoomed(!isZoomed);
      else if (action === 'next') setPane(toNeighbour(pane, 1, names));
      else if (action === 'previous') setPane(toNeighbour(pane, -1, names));
      else setPane(action);
    },
  });
  return (
    <Box flexDirection="column" height={rows}>
      {head.map((line, index) => (
        <LineView key={index} line={fitLine(line, columns, symbols.ellipsis)} />
      ))}
      <DevPanes {...size} dev={dev} open={pane} onOpen={setPane} isSplit={canSplit && !isZoomed} />
    </Box>
  );
}

/** The contract alarm, with the keys that fold it and accept what it tells. */
function useAlarmKeys(): AlarmView {
  const { sentences, acceptedCount, toggleAccepted } = useContractAlarm();
  const [isFolded, setIsFolded] = useKept('alarm folded', false);
  useKeys({
    title: 'Contract',
    bindings: alarmBindings,
    isActive: sentences.length + acceptedCount > 0,
    onAction: (action) => (action === 'fold' ? setIsFolded(!isFolded) : toggleAccepted()),
  });
  return { sentences, acceptedCount, isFolded };
}

interface HeadOptions extends Size {
  readonly alarm: AlarmView;
}

/** The lines above the views: the state of the server, and the breaks of the last save. */
function useHead({ store: { state } }: OpenDev, { alarm, columns, rows }: HeadOptions): readonly Line[] {
  const { symbols } = useUi();
  const urls = [...state.urls, ...(state.networkUrls ?? [])].join('  ');
  return [
    [
      { text: ` ${symbols.live} `, token: toPhaseToken(state) },
      { text: state.readyAt === undefined ? '' : `${urls}  `, token: 'accent' },
      { text: state.text },
    ],
    ...toAlarmLines(alarm, { columns, rows: Math.max(3, Math.floor(rows / 4)), symbols }),
  ];
}

function openServer([url]: readonly string[]): void {
  if (url !== undefined) void openInBrowser(url);
}
