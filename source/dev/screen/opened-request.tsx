import { useCallback, useMemo } from 'react';
import type { Line } from '../../kit/line.ts';
import { toStatusText, toStatusToken } from '../../kit/theme.ts';
import { useMemory } from '../../kit/use-ui.ts';
import { TimeView } from '../../screens/time-view.tsx';
import { toCountsText } from '../../screens/waterfall.ts';
import { toDuration } from '../../values/duration.ts';
import { compareRequests } from './compare-requests.ts';
import type { RequestEntry } from './dev-store.ts';
import { OpenedText, type OpenedTextProps } from './pane.tsx';
import { findErrorFrame, findThrown, toRequestLines, toTitle } from './request-lines.ts';

interface OpenedRequestProps extends Omit<OpenedTextProps, 'id' | 'toLines' | 'go'> {
  readonly request: RequestEntry;
  readonly root: string;
}

const NARROW_COLUMNS = 60;

/** One request, whole; where it repeats another one, with the lines of both where they differ. Or its times alone. */
export function OpenedRequest({ request, root, ...place }: OpenedRequestProps) {
  const [showsTime, setShowsTime] = useMemory(`time of ${request.key}`, false);
  const frame = useMemo(() => findErrorFrame(findThrown(request)?.stack, root), [request, root]);
  const toLines = useCallback(
    (columns: number) =>
      (request.before ? compareRequests : toRequestLines)(request, { frame, columns }),
    [request, frame],
  );
  const { marks } = request.details ?? {};
  if (showsTime && marks !== undefined)
    return (
      <TimeView
        {...place}
        id={request.key}
        title={toTimeTitle(request)}
        marks={marks}
        durationMs={request.durationMs}
        root={root}
        onBack={() => setShowsTime(false)}
      />
    );
  const go = marks && {
    help: 'See where its time went',
    // The way back is worth more in a narrow line of keys.
    hint: place.columns < NARROW_COLUMNS ? undefined : 'time',
    run: () => setShowsTime(true),
  };
  return <OpenedText {...place} id={request.key} toLines={toLines} go={go} />;
}

/** `200  GET /orders  184 ms  db 23, http 1` */
function toTimeTitle(request: RequestEntry): Line {
  const { status, method, durationMs, details } = request;
  return [
    { text: `${toStatusText(status)}  `, token: toStatusToken(status) },
    { text: `${request.operation?.kind ?? method} ${toTitle(request)}`, token: 'title' },
    { text: `  ${toDuration(durationMs)}  ${toCountsText(details?.marks)}`, token: 'muted' },
  ];
}
