import { useKept } from '../kit/kept/use-kept.ts';
import type { KeyBinding } from '../kit/keys/key-binding.ts';
import { keyPriority } from '../kit/keys/key-stack.ts';
import { useKeys } from '../kit/keys/use-keys.ts';
import type { Line } from '../kit/line/line.ts';
import { cutText, textWidth, wrapText } from '../kit/text/text-width.ts';
import { type Size, useBodySize, useUi } from '../kit/theme/use-ui.ts';
import { useScreen } from '../screens/use-screen.ts';
import { openInBrowser } from '../system/open-in-browser.ts';
import { type AlarmView, toAlarmLines } from './alarm/alarm-lines.ts';
import { useContractAlarm } from './alarm/use-contract-alarm.ts';
import { toPhaseToken } from './dev-state.ts';
import { toPaneCounts } from './panes/dev-panes.tsx';
import { hasRoomForAll, listPanes, type PaneName, toNeighbour } from './panes/pane-name.ts';
import type { OpenDev } from './use-dev.ts';

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

/** The views of the server, with the room that they have. */
export interface DevPanesUse extends Size {
  /** The lines above them. */
  readonly head: readonly Line[];
  readonly open: PaneName;
  readonly onOpen: (pane: PaneName) => void;
  readonly isSplit: boolean;
}

/** The state of the views, and the keys of the server. */
export function useDevPanes(dev: OpenDev): DevPanesUse {
  const { go } = useScreen();
  const { store, session } = dev;
  const { columns, rows } = useBodySize();
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
    // What the row that has the focus can do comes first.
    priority: keyPriority.around,
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
  return { ...size, head, open: pane, onOpen: setPane, isSplit: canSplit && !isZoomed };
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

/** Columns of the sign before the address. */
const SIGN = 3;

/** The lines above the views: the state of the server, and the breaks of the last save. */
function useHead({ store: { state } }: OpenDev, { alarm, columns, rows }: HeadOptions): readonly Line[] {
  const { symbols } = useUi();
  const urls = state.readyAt === undefined ? '' : `${[...state.urls, ...(state.networkUrls ?? [])].join('  ')}  `;
  return [
    [
      { text: ` ${symbols.live} `, token: toPhaseToken(state) },
      { text: urls, token: 'accent' },
      { text: toWholeWords(state.text, columns - SIGN - textWidth(urls), symbols.ellipsis) },
    ],
    ...toAlarmLines(alarm, { columns, rows: Math.max(3, Math.floor(rows / 4)), symbols }),
  ];
}

/** A sentence in at most `width` columns; where it is cut, after a word. A path is cut anywhere: each folder of it tells something. */
function toWholeWords(text: string, width: number, ellipsis: string): string {
  const cut = cutText(text, width, ellipsis);
  if (cut === text || cut.slice(cut.lastIndexOf(' ') + 1).includes('/')) return cut;
  const [words = ''] = wrapText(text, width - 1);
  return width < 2 ? '' : words + ellipsis;
}

function openServer([url]: readonly string[]): void {
  if (url !== undefined) void openInBrowser(url);
}
