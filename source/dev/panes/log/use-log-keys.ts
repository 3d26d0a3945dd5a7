import type { KeyBinding } from '../../../kit/keys/key-binding.ts';
import { keyPriority } from '../../../kit/keys/key-stack.ts';
import { useKeys } from '../../../kit/keys/use-keys.ts';
import { type ListAction, listBindings } from '../../../kit/list/list-state.ts';
import { findErrorPlace } from '../../../manifest/places/find-error-place.ts';
import { useScreen } from '../../../screens/use-screen.ts';
import { stripControl } from '../../../terminal/control/strip-control.ts';
import type { OpenDev } from '../../use-dev.ts';
import type { LogLine } from './log-buffer.ts';
import {
  holdLog,
  type LogView,
  type LogWindow,
  moveLog,
  searchLog,
  shiftLog,
  toNextLevel,
  toNextSince,
} from './log-view.ts';
import { saveLogs } from './save-logs.ts';

type ViewAction = 'hold' | 'level' | 'since' | 'wrap' | 'left' | 'right' | 'nextMatch' | 'previousMatch';

type LogsAction = ViewAction | 'open' | 'edit' | 'copy' | 'search' | 'clear' | 'restore' | 'write';

const bindings: readonly KeyBinding<LogsAction>[] = [
  { action: 'open', keys: ['enter'], help: 'Open the line', hint: 'open' },
  { action: 'hold', keys: ['space'], help: 'Pause the log, or follow it', hint: 'pause' },
  { action: 'level', keys: ['L'], help: 'The lowest level that is shown', hint: 'level' },
  { action: 'search', keys: ['f'], help: 'Find text in the log', hint: 'find' },
  { action: 'nextMatch', keys: ['n'], help: 'The next match' },
  { action: 'previousMatch', keys: ['N'], help: 'The previous match' },
  {
    action: 'since',
    keys: ['t'],
    help: 'The time that is shown: the last 1, 5, 15 or 60 minutes, or all',
    hint: 'time',
  },
  { action: 'wrap', keys: ['W'], help: 'Wrap long lines, or cut them', hint: 'wrap' },
  { action: 'right', keys: ['right', 'l'], help: 'Go on to the right in long lines' },
  { action: 'left', keys: ['left', 'h'], help: 'Go back to the left' },
  { action: 'write', keys: ['w'], help: 'Write the log to a file', hint: 'save' },
  { action: 'clear', keys: ['x'], help: 'Clear the log', hint: 'clear' },
  { action: 'restore', keys: ['X'], help: 'Bring back what was cleared' },
  { action: 'edit', keys: ['e'], help: 'Open the place that the line names in $EDITOR', hint: 'edit' },
  { action: 'copy', keys: ['y'], help: 'Copy the line' },
];

export interface LogKeys {
  readonly dev: OpenDev;
  readonly view: LogView;
  readonly setView: (view: LogView) => void;
  readonly height: number;
  readonly window: LogWindow;
  readonly selected: LogLine | undefined;
  readonly isActive: boolean;
  readonly onOpen: () => void;
  readonly onSearch: () => void;
}

/** Takes the keys of the log. */
export function useLogKeys(keys: LogKeys): void {
  const { dev, view, setView, height, window, selected, isActive, onOpen, onSearch } = keys;
  const { notify, copy, edit } = useScreen();
  const { logs } = dev.store;
  useMovement(keys);
  useKeys<LogsAction>({
    title: 'Log',
    bindings,
    isActive,
    onAction: (action) => {
      switch (action) {
        case 'open':
          return onOpen();
        case 'copy':
          return selected && copy(stripControl(selected.text), 'the line');
        case 'edit':
          return edit(findErrorPlace(toStack(window), dev.root));
        case 'search':
          return onSearch();
        case 'clear':
          setView({ ...view, cursor: undefined });
          dev.store.clearLogs();
          return notify('Cleared the log: X brings it back');
        case 'restore':
          return dev.store.restoreLogs();
        case 'write':
          return void saveLogs(logs, dev.root).then(
            (name) => notify(`Saved ${name}`),
            (error: Error) => notify(`Not saved: ${error.message}`),
          );
        case 'hold':
        case 'level':
        case 'since':
        case 'wrap':
        case 'left':
        case 'right':
        case 'nextMatch':
        case 'previousMatch':
          return setView(toChangedView(action, { logs, view, height }));
      }
    },
  });
}

function useMovement({ dev, view, setView, height, window, isActive }: LogKeys): void {
  useKeys<ListAction>({
    title: 'Log',
    bindings: listBindings,
    priority: keyPriority.pane,
    isMovement: true,
    isActive,
    onAction: (action) => {
      const by = {
        up: -1,
        down: 1,
        pageUp: 1 - height,
        pageDown: height - 1,
        first: -window.count,
        last: window.count,
      }[action];
      setView(moveLog(dev.store.logs, view, { by, rows: height }));
    },
  });
}

interface ShownLog extends Pick<LogKeys, 'view' | 'height'> {
  readonly logs: OpenDev['store']['logs'];
}

function toChangedView(action: ViewAction, { logs, view, height: rows }: ShownLog): LogView {
  const follow = { ...view, cursor: undefined };
  switch (action) {
    case 'hold':
      return view.cursor === undefined ? holdLog(logs, view, rows) : follow;
    case 'level':
      return { ...follow, level: toNextLevel(view.level) };
    case 'since':
      return { ...follow, since: toNextSince(view.since, Date.now()) };
    case 'wrap':
      return { ...view, isWrapped: !view.isWrapped, shift: 0 };
    case 'left':
    case 'right':
      return shiftLog(view, action === 'left' ? -1 : 1);
    case 'nextMatch':
    case 'previousMatch':
      return searchLog(logs, view, { direction: action === 'nextMatch' ? 1 : -1, rows });
  }
}

/** The selected line with the indented ones below it, as an error is printed. */
function toStack({ lines, selected, top }: LogWindow): string {
  const [first, ...below] = lines.slice(selected - top).map(({ text }) => text);
  const end = below.findIndex((text) => !/^\s/.test(text));
  return [first ?? '', ...(end === -1 ? below : below.slice(0, end))].join('\n');
}
