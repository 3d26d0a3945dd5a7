import { useMemo, useState } from 'react';
import { stripControl } from '../terminal/strip-control.ts';
import type { KeyBinding } from '../ui/key-table.ts';
import { ScrollView } from '../ui/scroll-view.tsx';
import { useKeys } from '../ui/use-keys.ts';
import { useScreen } from '../ui/use-screen.ts';
import type { LogLine } from './log-buffer.ts';
import { toLogDetails } from './log-lines.ts';

export interface OpenedLogLineProps {
  readonly log: LogLine;
  readonly columns: number;
  readonly rows: number;
  readonly onClose: () => void;
}

const openedBindings: readonly KeyBinding<'close' | 'copy'>[] = [
  { action: 'close', keys: ['esc', 'enter'], help: 'Back to the log', hint: 'back' },
  { action: 'copy', keys: ['y'], help: 'Copy the line', hint: 'copy' },
];

/** One line of the log, with all that is in it. */
export function OpenedLogLine({ log, columns, rows, onClose }: OpenedLogLineProps) {
  const [offset, setOffset] = useState(0);
  const { copy } = useScreen();
  useKeys<'close' | 'copy'>({
    title: 'Line',
    bindings: openedBindings,
    onAction: (action) => (action === 'close' ? onClose() : copy(stripControl(log.text), 'the line')),
  });
  const lines = useMemo(() => toLogDetails(log, columns - 1), [log, columns]);
  return <ScrollView lines={lines} offset={offset} onOffset={setOffset} columns={columns} rows={rows} title="Line" />;
}
