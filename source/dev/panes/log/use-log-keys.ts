import type { KeyBinding } from '../../../kit/keys/key-binding.ts';
import { keyPriority } from '../../../kit/keys/key-stack.ts';
import { useKeys } from '../../../kit/keys/use-keys.ts';
import { type ListAction, listBindings } from '../../../kit/list/list-state.ts';
import { findErrorPlace } from '../../../manifest/places/find-error-place.ts';
import { useScreen } from '../../../screens/use-screen.ts';
import { stripControl } from '../../../terminal/control/strip-control.ts';
import type { OpenDev } from '../../use-dev.ts';
import type { LogLine } from './log-buffer.ts';
import { holdLog, type LogView, type LogWindow, moveLog, toNextLevel } from './log-view.ts';

type LogsAction = 'open' | 'hold' | 'level' | 'clear' | 'edit' | 'copy';

const bindings: readonly KeyBinding<LogsAction>[] = [
  { action: 'open', keys: ['enter'], help: 'Open the line', hint: 'open' },
  { action: 'hold', keys: ['space'], help: 'Pause the log, or follow it', hint: 'pause' },
  { action: 'level', keys: ['L'], help: 'The lowest level that is shown', hint: 'level' },
  { action: 'clear', keys: ['x'], help: 'Clear the log', hint: 'clear' },
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
}

/** Takes the keys of the log. */
export function useLogKeys({ dev, view, setView, height, window, selected, isActive, onOpen }: LogKeys): void {
  const { copy, edit } = useScreen();
  const { logs } = dev.store;
  const follow = { ...view, cursor: undefined };
  useKeys<ListAction>({
    title: 'Log',
    bindings: listBindings,
    priority: keyPriority.pane,
    isMovement: true,
    isActive,
    onAction: (action) => {
      const { count } = window;
      const by = { up: -1, down: 1, pageUp: 1 - height, pageDown: height - 1, first: -count, last: count }[action];
      setView(moveLog(logs, view, { by, rows: height }));
    },
  });
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
          return edit(selected && findErrorPlace(logs.stackOf(selected), dev.root));
        case 'clear':
          setView(follow);
          return dev.store.clearLogs();
        case 'hold':
          return setView(view.cursor === undefined ? holdLog(logs, view, height) : follow);
        case 'level':
          return setView({ ...follow, level: toNextLevel(view.level) });
      }
    },
  });
}
