import { Box } from 'ink';
import { useKept } from '../../../kit/kept/use-kept.ts';
import { fitLine, type Line } from '../../../kit/line/line.ts';
import { LineView } from '../../../kit/line/line-view.tsx';
import { FilterLine } from '../../../kit/list/filter-line.tsx';
import { isFilterShown, noFilter } from '../../../kit/list/filter-state.ts';
import { useUi } from '../../../kit/theme/use-ui.ts';
import type { RequestEntry } from '../../dev-store.ts';
import type { OpenDev } from '../../use-dev.ts';
import type { LogBuffer, LogLine } from './log-buffer.ts';
import { toLogLine } from './log-line.ts';
import { followAll, type LogView, type LogWindow, toLogWindow } from './log-view.ts';
import { OpenedLogLine } from './opened-log-line.tsx';
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

/** The output of the server; stdout and stderr are told apart. One line can be opened, and is wrapped there. */
export function LogsPane({ columns, rows, dev, isFocused, onRequest }: LogsPaneProps) {
  const { logs, requests } = dev.store;
  const { symbols } = useUi();
  const [filter, setFilter] = useKept('logFilter', noFilter);
  const [kept, setView] = useKept<LogView>('logView', followAll);
  const [opened, setOpened] = useKept<LogLine | undefined>('logLine', undefined);
  const view = { ...kept, filter: filter.field.text };
  const height = Math.max(1, rows - 1 - (isFilterShown(filter) ? 1 : 0));
  const window = toLogWindow(logs, view, height);
  const selected = window.lines[window.selected - window.top];
  const isActive = isFocused && opened === undefined;
  useLogKeys({ dev, view, setView, height, window, selected, isActive, onOpen: () => setOpened(selected) });
  if (opened !== undefined) {
    const close = () => setOpened(undefined);
    return <OpenedLogLine {...{ columns, rows, requests, isFocused, onRequest }} log={opened} onClose={close} />;
  }
  return (
    <Box flexDirection="column" height={rows}>
      <LineView line={fitLine(toStateLine(window, view, logs), columns, symbols.ellipsis)} />
      <Box flexDirection="column" width={columns} height={height}>
        {window.lines.map((line, index) => {
          const isSelected = view.cursor !== undefined && window.top + index === window.selected;
          const mark = { text: isSelected ? `${symbols.pointer} ` : '  ', token: 'accent' } as const;
          const shown = fitLine([mark, ...toLogLine(line, view.filter)], columns, symbols.ellipsis);
          return <LineView key={line.id} line={shown} isSelected={isSelected} />;
        })}
      </Box>
      <FilterLine
        state={filter}
        onState={setFilter}
        columns={columns}
        count={`${window.count} of ${logs.size}`}
        placeholder="text of a line"
        isActive={isActive}
      />
    </Box>
  );
}

function toStateLine({ count, selected }: LogWindow, { level, cursor }: LogView, logs: LogBuffer): Line {
  if (logs.total === 0) return [{ text: '  Nothing has been written yet.', token: 'muted' }];
  const parts = [
    cursor === undefined ? 'follows new lines' : `held at ${selected + 1} of ${count}`,
    ...(level === 'trace' ? [] : [`from ${level} on`]),
    ...(logs.dropped === 0 ? [] : [`${logs.dropped} older lines dropped`]),
  ];
  return [{ text: `  ${parts.join(', ')}`, token: 'muted' }];
}
