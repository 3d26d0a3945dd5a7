import { useMemo, useState } from 'react';
import type { KeyBinding } from '../../../kit/keys/key-binding.ts';
import { useKeys } from '../../../kit/keys/use-keys.ts';
import { ScrollView } from '../../../kit/list/scroll-view.tsx';
import { SCROLL_COLUMNS } from '../../../kit/list/to-scroll-marks.ts';
import { useScreen } from '../../../screens/use-screen.ts';
import { stripControl } from '../../../terminal/control/strip-control.ts';
import type { RequestEntry } from '../../dev-store.ts';
import { findLineRequest } from '../find-line-request.ts';
import type { LogLine } from './log-buffer.ts';
import { toLogDetails } from './log-line.ts';

export interface OpenedLogLineProps {
  readonly log: LogLine;
  readonly columns: number;
  readonly rows: number;
  readonly isFocused: boolean;
  readonly onClose: () => void;
  /** The requests that may have written the line. */
  readonly requests: readonly RequestEntry[];
  readonly onRequest: (request: RequestEntry) => void;
}

type LineAction = 'close' | 'copy' | 'request';

const copyLine: KeyBinding<LineAction> = { action: 'copy', keys: ['y'], help: 'Copy the line', hint: 'copy' };
const openedBindings: readonly KeyBinding<LineAction>[] = [
  { action: 'close', keys: ['esc', 'enter'], help: 'Back to the log', hint: 'back' },
  copyLine,
];
const requestBindings: readonly KeyBinding<LineAction>[] = [
  { action: 'close', keys: ['esc'], help: 'Back to the log', hint: 'back' },
  { action: 'request', keys: ['enter'], help: 'Open the request that wrote the line', hint: 'its request' },
  copyLine,
];

/** Columns before what a line says. */
const MARGIN = 1;

/** One line of the log, with all that is in it. */
export function OpenedLogLine(props: OpenedLogLineProps) {
  const { log, columns, rows, isFocused, onClose, requests, onRequest } = props;
  const [offset, setOffset] = useState(0);
  const { copy } = useScreen();
  const request = useMemo(() => findLineRequest(log, requests), [log, requests]);
  useKeys<LineAction>({
    title: 'Line',
    bindings: request === undefined ? openedBindings : requestBindings,
    isActive: isFocused,
    onAction: (action) => {
      if (action === 'close') onClose();
      else if (action === 'copy') copy(stripControl(log.text), 'the line');
      else if (request !== undefined) onRequest(request);
    },
  });
  const lines = useMemo(() => toLogDetails(log, columns - MARGIN - SCROLL_COLUMNS), [log, columns]);
  const place = { offset, onOffset: setOffset, columns, rows, isFocused };
  return <ScrollView {...place} lines={lines} margin={MARGIN} title="Line" />;
}
