import { useMemo, useState } from 'react';
import type { KeyBinding } from '../../../kit/keys/key-binding.ts';
import { useKeys } from '../../../kit/keys/use-keys.ts';
import { ScrollView } from '../../../kit/list/scroll-view.tsx';
import { useScreen } from '../../../screens/use-screen.ts';
import { stripControl } from '../../../terminal/control/strip-control.ts';
import type { LogLine } from './log-buffer.ts';
import { toLogDetails } from './log-line.ts';

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
