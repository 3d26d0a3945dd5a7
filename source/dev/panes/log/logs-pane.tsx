import { Box } from 'ink';
import { useState } from 'react';
import { type TextFieldState, toTextField } from '../../../kit/field/text-field-state.ts';
import { useKept } from '../../../kit/kept/use-kept.ts';
import type { KeyBinding } from '../../../kit/keys/key-binding.ts';
import { keyPriority } from '../../../kit/keys/key-stack.ts';
import { useKeys } from '../../../kit/keys/use-keys.ts';
import { fitLine, type Line } from '../../../kit/line/line.ts';
import { LineView } from '../../../kit/line/line-view.tsx';
import { FilterLine } from '../../../kit/list/filter-line.tsx';
import { type FilterState, isFilterShown, noFilter } from '../../../kit/list/filter-state.ts';
import { type ListAction, listBindings } from '../../../kit/list/list-state.ts';
import { useUi } from '../../../kit/theme/use-ui.ts';
import { useScreen } from '../../../screens/use-screen.ts';
import { stripControl } from '../../../terminal/control/strip-control.ts';
import type { RequestEntry } from '../../dev-store.ts';
import type { OpenDev } from '../../use-dev.ts';
import { findErrorPlace } from '../find-error-place.ts';
import type { LogBuffer, LogLine } from './log-buffer.ts';
import { toLogLine } from './log-line.ts';
import {
  followAll,
  holdLog,
  type LogView,
  type LogWindow,
  moveLog,
  searchLog,
  toLogWindow,
  toNextLevel,
} from './log-view.ts';
import { OpenedLogLine } from './opened-log-line.tsx';
import { saveLogs } from './save-logs.ts';
import { SearchLine } from './search-line.tsx';

export interface LogsPaneProps {
  readonly columns: number;
  readonly rows: number;
  readonly dev: OpenDev;
  /** Whether it has the keys. */
  readonly isFocused: boolean;
  /** Opens a request. */
  readonly onRequest: (request: RequestEntry) => void;
}

type LogsAction =
  | 'open'
  | 'edit'
  | 'copy'
  | 'hold'
  | 'level'
  | 'search'
  | 'nextMatch'
  | 'previousMatch'
  | 'clear'
  | 'save';

const bindings: readonly KeyBinding<LogsAction>[] = [
  { action: 'open', keys: ['enter'], help: 'Open the line', hint: 'open' },
  { action: 'hold', keys: ['space'], help: 'Pause the log, or follow it', hint: 'hold' },
  { action: 'level', keys: ['l'], help: 'The lowest level that is shown', hint: 'level' },
  { action: 'search', keys: ['f'], help: 'Find text in the log', hint: 'find' },
  { action: 'previousMatch', keys: ['n'], help: 'The previous match' },
  { action: 'nextMatch', keys: ['N'], help: 'The next match' },
  { action: 'save', keys: ['w'], help: 'Write the log to a file', hint: 'save' },
  { action: 'clear', keys: ['x'], help: 'Clear the log', hint: 'clear' },
  { action: 'edit', keys: ['e'], help: 'Open the place that the line names in $EDITOR', hint: 'edit' },
  { action: 'copy', keys: ['y'], help: 'Copy the line' },
];

/** The output of the server; stdout and stderr are told apart. One line can be opened. */
export function LogsPane({ columns, rows, dev, isFocused, onRequest }: LogsPaneProps) {
  const { logs } = dev.store;
  const [filter, setFilter] = useKept('logFilter', noFilter);
  const [kept, setView] = useKept<LogView>('logView', followAll);
  const [opened, setOpened] = useKept<LogLine | undefined>('logLine', undefined);
  const [typed, setSearch] = useState<TextFieldState>();
  // The keys of another pane are not typed into it.
  const search = isFocused ? typed : undefined;
  const view = { ...kept, filter: filter.field.text };
  const height = Math.max(1, rows - 1 - (isFilterShown(filter) || search !== undefined ? 1 : 0));
  const window = toLogWindow(logs, view, height);
  const selected = window.lines[window.selected - window.top];
  useLogKeys({
    dev,
    view,
    setView,
    height,
    window,
    isActive: isFocused && opened === undefined,
    onOpen: () => setOpened(selected),
    onSearch: () => setSearch(toTextField(view.search)),
    selected,
  });
  const { symbols } = useUi();
  if (opened !== undefined) {
    const { requests } = dev.store;
    const close = () => setOpened(undefined);
    return <OpenedLogLine {...{ columns, rows, requests, isFocused, onRequest }} log={opened} onClose={close} />;
  }
  return (
    <Box flexDirection="column" height={rows}>
      <LineView line={fitLine(toStateLine(window, view, logs), columns, symbols.ellipsis)} />
      <LogRows window={window} view={view} columns={columns} rows={height} />
      {search === undefined ? (
        <FilterLine
          state={filter}
          onState={(next: FilterState) => setFilter(next)}
          columns={columns}
          count={`${window.count} of ${logs.size}`}
          placeholder="text of a line"
          isActive={isFocused}
        />
      ) : (
        <SearchLine
          field={search}
          columns={columns}
          onField={setSearch}
          onEnd={(text) => {
            setSearch(undefined);
            if (text === undefined) return;
            const wanted = { ...view, search: text };
            setView(
              text === '' ? wanted : searchLog(logs, wanted, { direction: -1, rows: height, fromSelected: true }),
            );
          }}
        />
      )}
    </Box>
  );
}

interface LogRowsProps {
  readonly window: LogWindow;
  readonly view: LogView;
  readonly columns: number;
  readonly rows: number;
}

/** The lines; one of them is selected while they are held. */
function LogRows({ window, view, columns, rows }: LogRowsProps) {
  const { symbols } = useUi();
  return (
    <Box flexDirection="column" height={rows}>
      {window.lines.map((line, row) => {
        const isSelected = view.cursor !== undefined && window.top + row === window.selected;
        const mark = { text: isSelected ? `${symbols.pointer} ` : '  ', token: 'accent' } as const;
        const shown = fitLine([mark, ...toLogLine(line, view.search || view.filter)], columns, symbols.ellipsis);
        return <LineView key={line.id} line={shown} isSelected={isSelected} />;
      })}
    </Box>
  );
}

interface LogKeys {
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

function useLogKeys({ dev, view, setView, height, window, selected, isActive, onOpen, onSearch }: LogKeys): void {
  const { notify, copy, edit } = useScreen();
  const { logs } = dev.store;
  const follow = { ...view, cursor: undefined };
  useKeys<ListAction>({
    title: 'Log',
    scope: 'move',
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
          return edit(findErrorPlace(toStack(window), dev.root));
        case 'hold':
          return setView(view.cursor === undefined ? holdLog(logs, view, height) : follow);
        case 'level':
          return setView({ ...follow, level: toNextLevel(view.level) });
        case 'search':
          return onSearch();
        case 'nextMatch':
          return setView(searchLog(logs, view, { direction: 1, rows: height }));
        case 'previousMatch':
          return setView(searchLog(logs, view, { direction: -1, rows: height }));
        case 'clear':
          setView(follow);
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

/** The selected line with the indented ones below it, as an error is printed. */
function toStack({ lines, selected, top }: LogWindow): string {
  const [first, ...below] = lines.slice(selected - top).map(({ text }) => text);
  const end = below.findIndex((text) => !/^\s/.test(text));
  return [first ?? '', ...(end === -1 ? below : below.slice(0, end))].join('\n');
}

function toStateLine({ count, selected }: LogWindow, { level, cursor, search }: LogView, logs: LogBuffer): Line {
  if (logs.total === 0) return [{ text: '  Nothing has been written yet.', token: 'muted' }];
  const parts = [
    cursor === undefined ? 'follows new lines' : `held at ${selected + 1} of ${count}`,
    ...(level === 'trace' ? [] : [`from ${level} on`]),
    ...(search === '' ? [] : [`finds '${search}'`]),
    ...(logs.dropped === 0 ? [] : [`${logs.dropped} older lines dropped`]),
  ];
  return [{ text: `  ${parts.join(', ')}`, token: 'muted' }];
}
