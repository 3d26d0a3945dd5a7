import { useMemo, useState } from 'react';
import { type ActionWords, toBindings } from '../../../kit/actions.ts';
import { SCROLL_COLUMNS } from '../../../kit/list-state.ts';
import { ScrollView } from '../../../kit/rows-view.tsx';
import { useKeys } from '../../../kit/use-keys.ts';
import { useScreen } from '../../../screens/use-screen.ts';
import { stripControl } from '../../../terminal/control/strip-control.ts';
import type { RequestEntry } from '../../dev-store.ts';
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

const words: ActionWords = {
  go: { help: 'Open the request that wrote the line', hint: 'its request' },
  back: { help: 'Back to the log' },
  copy: { help: 'Copy the line' },
};
const openedBindings = toBindings(['back', 'go', 'copy'], {
  ...words,
  go: { help: 'Back to the log', hint: undefined },
});
const requestBindings = toBindings(['go', 'back', 'copy'], words);

/** Columns before what a line says. */
const MARGIN = 1;

/** One line of the log, with all that is in it. */
export function OpenedLogLine(props: OpenedLogLineProps) {
  const { log, columns, rows, isFocused, onClose, requests, onRequest } = props;
  const [offset, setOffset] = useState(0);
  const { copy } = useScreen();
  const request = useMemo(() => findLineRequest(log, requests), [log, requests]);
  useKeys<'go' | 'back' | 'copy'>({
    title: 'Line',
    bindings: request === undefined ? openedBindings : requestBindings,
    isActive: isFocused,
    onAction: (action) => {
      if (action === 'back' || (action === 'go' && request === undefined)) onClose();
      else if (action === 'copy') copy(stripControl(log.text), 'the line');
      else if (request !== undefined) onRequest(request);
    },
  });
  const lines = useMemo(() => toLogDetails(log, columns - MARGIN - SCROLL_COLUMNS), [log, columns]);
  const place = { offset, onOffset: setOffset, columns, rows, isFocused };
  return <ScrollView {...place} lines={lines} margin={MARGIN} title="Line" />;
}

/**
 * The request that wrote a line of the log: the one whose id the line names, else the one nearest in time that recorded
 * such a line; undefined where none did.
 */
function findLineRequest({ text, stream, at }: LogLine, requests: readonly RequestEntry[]): RequestEntry | undefined {
  const named = requests.findLast(({ requestId }) => requestId !== undefined && text.includes(requestId));
  if (named !== undefined) return named;
  const distance = (request: RequestEntry): number => Math.abs(request.at - at);
  return requests
    .filter(({ details }) => details?.logs.some((line) => line.text === text && line.stream === stream))
    .sort((a, b) => distance(a) - distance(b))[0];
}
