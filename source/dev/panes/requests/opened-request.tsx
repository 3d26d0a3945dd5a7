import { useMemo } from 'react';
import { useKept } from '../../../kit/kept/use-kept.ts';
import { ScrollView } from '../../../kit/list/scroll-view.tsx';
import { SCROLL_COLUMNS } from '../../../kit/list/to-scroll-marks.ts';
import { useUi } from '../../../kit/theme/use-ui.ts';
import type { RequestEntry } from '../../dev-store.ts';
import { compareRequests } from './compare-requests.ts';
import { findErrorFrame } from './find-error-frame.ts';
import { toRequestLines } from './request-lines.ts';

/** Columns before what a request says. */
const MARGIN = 1;

interface OpenedRequestProps {
  readonly isFocused: boolean;
  readonly request: RequestEntry;
  /** The request that it repeats. */
  readonly before: RequestEntry | undefined;
  readonly root: string;
  readonly columns: number;
  readonly rows: number;
}

/** One request, whole; where it repeats another one, the two beside each other. */
export function OpenedRequest({ request, before, root, columns, rows, isFocused }: OpenedRequestProps) {
  const [offset, setOffset] = useKept(`offset of ${request.key}`, 0);
  const { symbols } = useUi();
  const room = columns - MARGIN - SCROLL_COLUMNS;
  const lines = useMemo(
    () =>
      before === undefined
        ? toRequestLines(request, { frame: findErrorFrame(request.details?.error?.stack, root), columns: room })
        : compareRequests({ before, after: request, root, columns: room, symbols }),
    [request, before, root, room, symbols],
  );
  const place = { offset, onOffset: setOffset, columns, rows, isFocused };
  return <ScrollView {...place} lines={lines} margin={MARGIN} title="Request" />;
}
