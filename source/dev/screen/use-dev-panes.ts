import { type ActionWords, toBindings } from '../../kit/actions.ts';
import { keyPriority } from '../../kit/key-stack.ts';
import type { Line } from '../../kit/line.ts';
import { cutText, textWidth, wrapText } from '../../kit/text.ts';
import { signs } from '../../kit/theme.ts';
import { useKept } from '../../kit/use-kept.ts';
import { useKeys } from '../../kit/use-keys.ts';
import { type Size, useBodySize } from '../../kit/use-ui.ts';
import { useScreen } from '../../screens/use-screen.ts';
import { openInBrowser } from '../../system/user-programs.ts';
import { toPaneCounts } from './dev-panes.tsx';
import { type DevState, phaseTokens } from './dev-state.ts';
import { hasRoomForAll, listPanes, type PaneName, toNeighbour } from './pane-name.ts';
import { toAlarmLines, useContractAlarm } from './use-contract-alarm.ts';
import type { OpenDev } from './use-dev.ts';

const words: ActionWords = {
  pane: { help: 'The next view', hint: 'view' },
  reload: { help: 'Restart the server', hint: 'restart' },
  outside: { help: 'Open the server in the browser' },
  differences: { help: 'Compare the contract with that of the last commit', hint: undefined },
  views: { help: 'Routes, requests, log, jobs' },
};
const bindings = toBindings(['pane', 'reload', 'views', 'outside', 'differences'], words);
const wideBindings = toBindings(['pane', 'reload', 'views', 'outside', 'differences', 'zoom'], words);
const alarmBindings = toBindings(['alarm']);

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
  // A reload may have taken the jobs away.
  const pane = names.includes(kept) ? kept : 'routes';
  const [isZoomed, setIsZoomed] = useKept('zoomed', false);
  const alarm = useContractAlarm();
  const [isFolded, setIsFolded] = useKept('alarm folded', false);
  useKeys({
    title: 'Contract',
    bindings: alarmBindings,
    isActive: alarm.length > 0,
    onAction: () => setIsFolded(!isFolded),
  });
  const alarmRows = Math.max(3, Math.floor(rows / 4));
  const head = [toStateLine(store.state, columns), ...toAlarmLines(alarm, { columns, rows: alarmRows, isFolded })];
  const size = { columns, rows: rows - head.length };
  const canSplit = hasRoomForAll(size);
  useKeys<(typeof wideBindings)[number]['action']>({
    title: 'Server',
    // What the row that has the focus can do comes first.
    priority: keyPriority.around,
    bindings: canSplit ? wideBindings : bindings,
    onAction: (action, key) => {
      const [url] = store.state.urls;
      if (action === 'reload') session.restart();
      else if (action === 'outside') {
        if (url !== undefined) void openInBrowser(url);
      } else if (action === 'differences') go({ screen: 'diff', before: 'HEAD' });
      else if (action === 'zoom') setIsZoomed(!isZoomed);
      else if (action === 'pane') setPane(toNeighbour(pane, key === 'shift+tab' ? -1 : 1, names));
      else setPane(names[Number(key) - 1] ?? pane);
    },
  });
  return { ...size, head, open: pane, onOpen: setPane, isSplit: canSplit && !isZoomed };
}

/** The line of the server: its addresses, and how it stands. */
function toStateLine(state: DevState, columns: number): Line {
  const urls = state.readyAt === undefined ? '' : `${[...state.urls, ...(state.networkUrls ?? [])].join('  ')}  `;
  return [
    { text: ` ${signs.live} `, token: phaseTokens[state.phase] },
    { text: urls, token: 'accent' },
    { text: toWholeWords(state.text, columns - SIGN - textWidth(urls)) },
  ];
}

/** Columns of the sign before the address. */
const SIGN = 3;

/** A sentence in at most `width` columns, cut after a word. A path is cut anywhere. */
function toWholeWords(text: string, width: number): string {
  const cut = cutText(text, width);
  if (cut === text || cut.slice(cut.lastIndexOf(' ') + 1).includes('/')) return cut;
  const [words = ''] = wrapText(text, width - 1);
  return width < 2 ? '' : `${words}…`;
}
