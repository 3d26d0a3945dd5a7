import { Box } from 'ink';
import { useState } from 'react';
import { FilterLine } from '../ui/filter-line.tsx';
import { type FilterState, isFilterShown, noFilter } from '../ui/filter-state.ts';
import { keyPriority } from '../ui/key-stack.ts';
import type { KeyBinding } from '../ui/key-table.ts';
import { fitLine, type Line } from '../ui/line-segments.ts';
import { LineView } from '../ui/line-view.tsx';
import { type ListAction, listBindings } from '../ui/list-state.ts';
import { TextField } from '../ui/text-field.tsx';
import { type TextFieldState, toTextField } from '../ui/text-field-state.ts';
import { useKeys } from '../ui/use-keys.ts';
import { useKept, useScreen } from '../ui/use-screen.ts';
import { useUi } from '../ui/use-ui.ts';
import { toLogLine } from './dev-lines.ts';
import {
  followAll,
  type LogView,
  type LogWindow,
  moveLog,
  searchLog,
  toLogWindow,
  toNextLevel,
} from './log-view-state.ts';
import { saveLogs } from './save-logs.ts';
import type { OpenDev } from './use-dev.ts';

export interface LogsPaneProps {
  readonly columns: number;
  readonly rows: number;
  readonly dev: OpenDev;
}

type LogsAction = 'hold' | 'level' | 'search' | 'nextMatch' | 'previousMatch' | 'clear' | 'save';

const bindings: readonly KeyBinding<LogsAction>[] = [
  { action: 'hold', keys: ['space'], help: 'Hold the log still, or follow it', hint: 'hold' },
  { action: 'level', keys: ['l'], help: 'The least level that is shown', hint: 'level' },
  { action: 'search', keys: ['f'], help: 'Find text in the log', hint: 'find' },
  { action: 'previousMatch', keys: ['n'], help: 'The match above' },
  { action: 'nextMatch', keys: ['N'], help: 'The match below' },
  { action: 'save', keys: ['w'], help: 'Write the log to a file', hint: 'save' },
  { action: 'clear', keys: ['x'], help: 'Clear the log', hint: 'clear' },
];

/** What the server writes; what stdout and stderr say is told apart. */
export function LogsPane({ columns, rows, dev }: LogsPaneProps) {
  const { logs } = dev.store;
  const [filter, setFilter] = useKept('logFilter', noFilter);
  const [kept, setView] = useKept<LogView>('logView', followAll);
  const [search, setSearch] = useState<TextFieldState>();
  const view = { ...kept, filter: filter.field.text };
  const height = Math.max(1, rows - 1 - (isFilterShown(filter) || search !== undefined ? 1 : 0));
  const window = toLogWindow(logs, view, height);
  useLogKeys({ dev, view, setView, height, window, openSearch: () => setSearch(toTextField(view.search)) });
  const { symbols } = useUi();
  return (
    <Box flexDirection="column" height={rows}>
      <LineView line={fitLine(toStateLine(window, view, logs.dropped), columns, symbols.ellipsis)} />
      <Box flexDirection="column" height={height}>
        {window.lines.map((line) => (
          <LineView
            key={line.id}
            line={fitLine(toLogLine(line, view.search || view.filter), columns, symbols.ellipsis)}
          />
        ))}
      </Box>
      {search === undefined ? (
        <FilterLine
          state={filter}
          onState={(next: FilterState) => setFilter(next)}
          columns={columns}
          count={`${window.count} of ${logs.size}`}
          placeholder="text of a line"
        />
      ) : (
        <SearchLine
          field={search}
          columns={columns}
          onField={setSearch}
          onEnd={(text) => {
            setSearch(undefined);
            if (text !== undefined)
              setView(searchLog(logs, { ...view, search: text }, { direction: -1, rows: height }));
          }}
        />
      )}
    </Box>
  );
}

interface LogKeys {
  readonly dev: OpenDev;
  readonly view: LogView;
  readonly setView: (view: LogView) => void;
  readonly height: number;
  readonly window: LogWindow;
  readonly openSearch: () => void;
}

function useLogKeys({ dev, view, setView, height, window, openSearch }: LogKeys): void {
  const { notify } = useScreen();
  const { logs } = dev.store;
  useKeys<ListAction>({
    title: 'Log',
    bindings: listBindings,
    priority: keyPriority.pane,
    onAction: (action) => {
      const by = {
        up: -1,
        down: 1,
        pageUp: 1 - height,
        pageDown: height - 1,
        first: -window.count,
        last: window.count,
      }[action];
      setView(moveLog(logs, view, { by, rows: height }));
    },
  });
  useKeys<LogsAction>({
    title: 'Log',
    bindings,
    onAction: (action) => {
      switch (action) {
        case 'hold':
          return setView({ ...view, bottomId: view.bottomId === undefined ? window.lines.at(-1)?.id : undefined });
        case 'level':
          return setView({ ...view, level: toNextLevel(view.level), bottomId: undefined });
        case 'search':
          return openSearch();
        case 'nextMatch':
          return setView(searchLog(logs, view, { direction: 1, rows: height }));
        case 'previousMatch':
          return setView(searchLog(logs, view, { direction: -1, rows: height }));
        case 'clear':
          setView({ ...view, bottomId: undefined });
          return dev.store.clearLogs();
        case 'save':
          return void saveLogs(logs, dev.root).then(
            (name) => notify(`Saved ${name}`),
            (error: Error) => notify(`Not saved: ${error.message}`),
          );
      }
    },
  });
}

function toStateLine({ count, bottom }: LogWindow, { level, bottomId, search }: LogView, dropped: number): Line {
  const parts = [
    bottomId === undefined ? 'follows' : `held at ${bottom + 1} of ${count}`,
    ...(level === 'trace' ? [] : [`from ${level} on`]),
    ...(search === '' ? [] : [`finds '${search}'`]),
    ...(dropped === 0 ? [] : [`${dropped} older lines dropped`]),
  ];
  return [{ text: ` ${parts.join(', ')}`, token: 'muted' }];
}

interface SearchLineProps {
  readonly field: TextFieldState;
  readonly columns: number;
  readonly onField: (field: TextFieldState) => void;
  /** With the text, or without where it was given up. */
  readonly onEnd: (text?: string) => void;
}

const searchBindings: readonly KeyBinding<'find' | 'cancel'>[] = [
  { action: 'find', keys: ['enter'], help: 'Find it', hint: 'find' },
  { action: 'cancel', keys: ['esc'], help: 'Find nothing', hint: 'cancel' },
];

function SearchLine({ field, columns, onField, onEnd }: SearchLineProps) {
  useKeys<'find' | 'cancel'>({
    title: 'Find',
    bindings: searchBindings,
    priority: keyPriority.field + 1,
    onAction: (action) => (action === 'find' ? onEnd(field.text) : onEnd()),
  });
  return (
    <Box height={1}>
      <LineView line={[{ text: ' find ', token: 'key' }]} />
      <TextField state={field} onState={onField} columns={columns - 7} placeholder="text to find" />
    </Box>
  );
}
