import { Box } from 'ink';
import { useState } from 'react';
import { type TextFieldState, toTextField } from '../../../kit/field/text-field-state.ts';
import { useKept } from '../../../kit/kept/use-kept.ts';
import { fitLine, type Line } from '../../../kit/line/line.ts';
import { LineView } from '../../../kit/line/line-view.tsx';
import { FilterLine } from '../../../kit/list/filter-line.tsx';
import { isFilterShown, noFilter } from '../../../kit/list/filter-state.ts';
import { useUi } from '../../../kit/theme/use-ui.ts';
import { toClock } from '../../../screens/shell/shell-status.ts';
import type { RequestEntry } from '../../dev-store.ts';
import type { OpenDev } from '../../use-dev.ts';
import type { LogBuffer, LogLine } from './log-buffer.ts';
import { LogRows } from './log-rows.tsx';
import { followAll, type LogView, type LogWindow, searchLog, toLogWindow } from './log-view.ts';
import { OpenedLogLine } from './opened-log-line.tsx';
import { SearchLine } from './search-line.tsx';
import { useLogKeys } from './use-log-keys.ts';

export interface LogsPaneProps {
  readonly columns: number;
  readonly rows: number;
  readonly dev: OpenDev;
  /** Whether it has the keys. */
  readonly isFocused: boolean;
  /** Opens a request. */
  readonly onRequest: (request: RequestEntry) => void;
}

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
  const open = () => setOpened(selected);
  const startSearch = () => setSearch(toTextField(view.search));
  const isActive = isFocused && opened === undefined;
  useLogKeys({ dev, view, setView, height, window, selected, isActive, onOpen: open, onSearch: startSearch });
  const { symbols } = useUi();
  if (opened !== undefined) {
    const { requests } = dev.store;
    const close = () => setOpened(undefined);
    return <OpenedLogLine {...{ columns, rows, requests, isFocused, onRequest }} log={opened} onClose={close} />;
  }
  return (
    <Box flexDirection="column" height={rows}>
      <LineView line={fitLine(toStateLine(window, view, logs), columns, symbols.ellipsis)} />
      <LogRows {...{ window, view, columns }} rows={height} />
      {search === undefined ? (
        <FilterLine
          state={filter}
          onState={setFilter}
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
            if (text !== undefined) setView(toFound(logs, { ...view, search: text }, height));
          }}
        />
      )}
    </Box>
  );
}

/** The newest line with the text that is searched, selected. */
function toFound(logs: LogBuffer, view: LogView, rows: number): LogView {
  return view.search === '' ? view : searchLog(logs, view, { direction: -1, rows, fromSelected: true });
}

function toStateLine({ count, selected }: LogWindow, view: LogView, logs: LogBuffer): Line {
  const { level, cursor, search, since, isWrapped, shift } = view;
  const cleared = logs.cleared === 0 ? [] : [`${logs.cleared} cleared: X brings back`];
  if (logs.total === 0)
    return [{ text: `  ${['Nothing has been written yet.', ...cleared].join(' ')}`, token: 'muted' }];
  const parts = [
    cursor === undefined ? 'follows new lines' : `held at ${selected + 1} of ${count}`,
    ...(level === 'trace' ? [] : [`from ${level} on`]),
    ...(since === undefined ? [] : [`since ${toClock(since)}`]),
    ...(isWrapped ? ['wrapped'] : shift === 0 ? [] : [`from column ${shift + 1}`]),
    ...(search === '' ? [] : [`finds '${search}'`]),
    ...cleared,
    ...(logs.dropped === 0 ? [] : [`${logs.dropped} older lines dropped`]),
  ];
  return [{ text: `  ${parts.join(', ')}`, token: 'muted' }];
}
