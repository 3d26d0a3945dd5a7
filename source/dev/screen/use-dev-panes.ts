import { type ActionWords, toBindings } from '../../kit/actions.ts';
import { keyPriority } from '../../kit/key-stack.ts';
import { type Line, wrapLine } from '../../kit/line.ts';
import { cutText, textWidth, wrapText } from '../../kit/text.ts';
import { signs } from '../../kit/theme.ts';
import { useKept } from '../../kit/use-kept.ts';
import { useKeys } from '../../kit/use-keys.ts';
import { type Size, useBodySize } from '../../kit/use-ui.ts';
import { useScreen } from '../../screens/use-screen.ts';
import { openInBrowser } from '../../system/user-programs.ts';
import { toPaneCounts } from './dev-panes.tsx';
import { toPhaseToken } from './dev-state.ts';
import { hasRoomForAll, listPanes, type PaneName, toNeighbour } from './pane-name.ts';
import { useContractAlarm } from './use-contract-alarm.ts';
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
const alarmBindings = toBindings(['alarm', 'accept']);

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
  const alarm = useAlarmKeys();
  const head = useHead(dev, { alarm, columns, rows });
  const size = { columns, rows: rows - head.length };
  const canSplit = hasRoomForAll(size);
  useKeys<(typeof wideBindings)[number]['action']>({
    title: 'Server',
    // What the row that has the focus can do comes first.
    priority: keyPriority.around,
    bindings: canSplit ? wideBindings : bindings,
    onAction: (action, key) => {
      if (action === 'reload') session.restart();
      else if (action === 'outside') openServer(store.state.urls);
      else if (action === 'differences') go({ screen: 'diff', before: 'HEAD' });
      else if (action === 'zoom') setIsZoomed(!isZoomed);
      else if (action === 'pane') setPane(toNeighbour(pane, key === 'shift+tab' ? -1 : 1, names));
      else setPane(names[Number(key) - 1] ?? pane);
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
    onAction: (action) => (action === 'alarm' ? setIsFolded(!isFolded) : toggleAccepted()),
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
  const urls = state.readyAt === undefined ? '' : `${[...state.urls, ...(state.networkUrls ?? [])].join('  ')}  `;
  return [
    [
      { text: ` ${signs.live} `, token: toPhaseToken(state) },
      { text: urls, token: 'accent' },
      { text: toWholeWords(state.text, columns - SIGN - textWidth(urls)) },
    ],
    ...toAlarmLines(alarm, { columns, rows: Math.max(3, Math.floor(rows / 4)) }),
  ];
}

/** A sentence in at most `width` columns, cut after a word. A path is cut anywhere. */
function toWholeWords(text: string, width: number): string {
  const cut = cutText(text, width);
  if (cut === text || cut.slice(cut.lastIndexOf(' ') + 1).includes('/')) return cut;
  const [words = ''] = wrapText(text, width - 1);
  return width < 2 ? '' : `${words}…`;
}

function openServer([url]: readonly string[]): void {
  if (url !== undefined) void openInBrowser(url);
}

/** The contract alarm as it is shown. */
export interface AlarmView {
  readonly sentences: readonly string[];
  readonly acceptedCount: number;
  /** Whether the sentences are only counted. */
  readonly isFolded: boolean;
}

export interface AlarmLinesOptions {
  readonly columns: number;
  /** The number of lines that there may be, at least 3. */
  readonly rows: number;
}

/** The sentences of the contract alarm, or their number; and the number of those that were accepted. */
export function toAlarmLines(
  { sentences, acceptedCount, isFolded }: AlarmView,
  { columns, rows }: AlarmLinesOptions,
): readonly Line[] {
  const accepted: readonly Line[] =
    acceptedCount === 0
      ? []
      : [[{ text: ` ${signs.tick} ${toCount(acceptedCount)} accepted until the next commit`, token: 'muted' }]];
  const told = isFolded ? toFolded(sentences) : toSentenceLines(sentences, { columns, rows: rows - accepted.length });
  return [...told, ...accepted];
}

function toCount(count: number): string {
  return count === 1 ? '1 change that breaks callers' : `${count} changes that break callers`;
}

function toFolded({ length }: readonly string[]): readonly Line[] {
  return length === 0 ? [] : [[{ text: ` ${signs.warning} ${signs.closed} ${toCount(length)}`, token: 'warning' }]];
}

/** The sentences, wrapped; those that have no room are counted in the last line. */
function toSentenceLines(alarm: readonly string[], { columns, rows }: AlarmLinesOptions): readonly Line[] {
  const sentences = alarm.map((text) =>
    wrapLine(
      [
        { text: ` ${signs.warning} `, token: 'warning' },
        { text, token: 'warning' },
      ],
      columns,
    ),
  );
  const all = sentences.flat();
  if (all.length <= rows) return all;
  const shown: Line[] = [];
  let count = 0;
  for (const lines of sentences) {
    if (count > 0 && shown.length + lines.length > rows - 1) break;
    shown.push(...lines);
    count += 1;
  }
  const left = alarm.length - count;
  const cut = toCut(shown, { columns, rows: left === 0 ? rows : rows - 1 });
  return left === 0 ? cut : [...cut, [{ text: `   and ${left} more`, token: 'warning' }]];
}

/** The lines that have room; the last one says that its sentence goes on. */
function toCut(lines: readonly Line[], { columns, rows }: AlarmLinesOptions): readonly Line[] {
  const last = lines[rows - 1];
  if (lines.length <= rows || last === undefined) return lines.slice(0, rows);
  const [start = []] = wrapLine(last, columns - 2);
  return [...lines.slice(0, rows - 1), [...start, { text: ' …', token: 'warning' }]];
}
