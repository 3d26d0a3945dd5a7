import { Box } from 'ink';
import { Keys } from '../../kit/keys.tsx';
import type { Line } from '../../kit/line.ts';
import { LineViews } from '../../kit/line-view.tsx';
import { cutText, textWidth, wrapText } from '../../kit/text.ts';
import { signs } from '../../kit/theme.ts';
import { useBodySize, useMemory } from '../../kit/use-ui.ts';
import { ScreenFrame } from '../../screens/screen-frame.tsx';
import { useNavigation, useServices } from '../../screens/use-screen.ts';
import { openInBrowser } from '../../system/user-programs.ts';
import { type DevState, phaseTokens, toDevStatus } from '../dev-state.ts';
import { toSavedText } from '../session/dev-event.ts';
import { toEffectText } from '../session/save-effects.ts';
import { toAlarmLines, toEffectLines } from './alarm-lines.ts';
import { DevPanes, hasRoomForAll, listPanes, type PaneName } from './dev-panes.tsx';
import { useContractAlarm } from './use-contract-alarm.ts';
import { type OpenDev, useDev } from './use-dev.ts';

/** `capix dev`: the server, how it stands, its routes, its requests, its log, its jobs. */
export default function DevScreen() {
  const dev = useDev();
  if (dev === undefined) return null;
  const { state } = dev.store;
  const about = {
    name: dev.name,
    status: toDevStatus(state),
    failure: state.failure,
    trouble: state.watchTrouble,
  };
  return (
    <ScreenFrame screen="dev" about={about}>
      <DevBody dev={dev} />
    </ScreenFrame>
  );
}

const aside = {
  help: 'Fold the breaking changes until there are others, or show them',
  hint: 'fold breaks',
};

function DevBody({ dev }: { readonly dev: OpenDev }) {
  const { go } = useNavigation();
  const { notify } = useServices();
  const { store, session } = dev;
  const { columns, rows } = useBodySize();
  const [chosen, setPane] = useMemory<PaneName>('tab', 'routes');
  const names = listPanes(store);
  // A reload may have taken the jobs away.
  const pane = names.includes(chosen) ? chosen : 'routes';
  const [isZoomed, setIsZoomed] = useMemory('zoomed', false);
  const { breaks, isAside, fold } = useContractAlarm();
  const alarm = isAside
    ? []
    : toAlarmLines(breaks, { columns, rows: Math.max(3, Math.floor(rows / 4)) });
  const folded = isAside && breaks.length > 0 ? breaks.length : 0;
  const effects = toEffectLines(store.effects.toEffects().map(toEffectText), columns);
  const saved = toEffectLines(store.savedFailures.map(toSavedText), columns);
  const head = [toStateLine(store.state, columns, folded), ...alarm, ...effects, ...saved];
  const size = { columns, rows: rows - head.length };
  const canSplit = hasRoomForAll(size);
  const [url] = store.state.urls;
  const toNext = (step: number): void =>
    setPane(names[(names.indexOf(pane) + step + names.length) % names.length] ?? pane);
  return (
    <Keys
      actions={{
        aside: breaks.length > 0 ? { ...aside, run: fold } : undefined,
        pane: {
          help: 'The next view',
          hint: 'view',
          run: (key) => toNext(key === 'shift+tab' ? -1 : 1),
        },
        reload: { help: 'Restart the server', hint: 'restart', run: () => session.restart() },
        views: {
          help: 'Routes, requests, log, jobs',
          run: (key) => setPane(names[Number(key) - 1] ?? pane),
        },
        outside: {
          help: 'Open the server in the browser',
          off: url === undefined ? 'The server is not running' : undefined,
          run: () => url !== undefined && void openInBrowser(url),
        },
        differences: {
          help: 'Compare the contract with that of the last commit',
          hint: undefined,
          run: () => go({ screen: 'diff', before: 'HEAD' }),
        },
        send: {
          help: 'Make all saved calls on this server, also those that change something',
          off: url === undefined ? 'The server is not running' : undefined,
          run: () => void session.runSaved().then(notify),
        },
        zoom: canSplit ? () => setIsZoomed(!isZoomed) : undefined,
      }}
    >
      <Box flexDirection="column" height={rows}>
        <LineViews lines={head} columns={columns} />
        <DevPanes
          {...size}
          dev={dev}
          open={pane}
          onOpen={setPane}
          isSplit={canSplit && !isZoomed}
        />
      </Box>
    </Keys>
  );
}

/** The line of the server: its addresses, and how it stands. */
function toStateLine(
  { phase, text, readyAt, urls, networkUrls = [] }: DevState,
  columns: number,
  foldedBreaks: number,
): Line {
  const addresses =
    readyAt === undefined ? '' : [...urls, ...networkUrls].map((url) => `${url}  `).join('');
  const folded = foldedBreaks === 0 ? '' : `${signs.warning} ${foldedBreaks} breaking  `;
  const sentence = phase === 'broken' && readyAt === undefined ? `${text}; r tries again` : text;
  return [
    { text: ` ${signs.live} `, token: phaseTokens[phase] },
    { text: addresses, token: 'accent' },
    { text: folded, token: 'warning' },
    { text: toWholeWords(sentence, columns - 3 - textWidth(addresses + folded)) },
  ];
}

/** A sentence in at most `width` columns, cut after a word: half of a time is another one. A path is cut anywhere. */
function toWholeWords(text: string, width: number): string {
  const cut = cutText(text, width);
  if (cut === text || cut.slice(cut.lastIndexOf(' ') + 1).includes('/')) return cut;
  return width < 2 ? '' : `${wrapText(text, width - 1)[0] ?? ''}…`;
}
