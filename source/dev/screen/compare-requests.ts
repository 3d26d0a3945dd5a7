import { diffArrays } from 'diff';
import { fitLine, type Line, toLineText } from '../../kit/line.ts';
import type { RoutedRequest } from '../../record/replace-url-secrets.ts';
import { toCountsText } from '../../screens/waterfall.ts';
import { toDuration } from '../../values/duration.ts';
import { type RequestLinesOptions, toRequestLines, toTimeLines } from './request-lines.ts';

/** A request, and the one that it repeats. */
interface RepeatedRequest extends RoutedRequest {
  readonly before?: RoutedRequest | undefined;
}

/** Facts that differ each time, and tell nothing. */
const ownFacts =
  /^ {2}(came at|took|request id) |^ {2}(date|x-request-id|connection|keep-alive): /i;

/** A request that repeats another one, with the lines of both where they differ. */
export function compareRequests(
  after: RepeatedRequest,
  options: RequestLinesOptions,
): readonly Line[] {
  const { before = after } = after;
  const toLines = (request: RoutedRequest) =>
    toRequestLines(request, { ...options, columns: options.columns - 2, isRepeated: true }).map(
      (line) => ({
        line,
        compared: toCompared(line, request),
      }),
    );
  const parts = diffArrays(toLines(before), toLines(after), {
    comparator: (one, other) => one.compared === other.compared,
  });
  const count = parts.reduce(
    (sum, { added, removed, value }) => sum + (added || removed ? value.length : 0),
    0,
  );
  return [
    [
      {
        text: `Sent again: ${count === 0 ? 'no differences' : `${count} lines differ`}`,
        token: 'title',
      },
      {
        text: `, ${toDuration(before.durationMs)} before, ${toDuration(after.durationMs)} now`,
        token: 'muted',
      },
    ],
    [],
    ...toBothTimes(before, after, options.columns),
    ...parts.flatMap(({ added, removed, value }) =>
      value.map(({ line }): Line => {
        if (!added && !removed) return [{ text: '  ' }, ...line];
        return [
          { text: `${added ? '+' : '-'} ${toLineText(line)}`, token: added ? 'added' : 'removed' },
        ];
      }),
    ),
  ];
}

/** The text of a line that is compared: the id of a request may stand anywhere in it. */
function toCompared(line: Line, { requestId }: RoutedRequest): string {
  const text = toLineText(line);
  return (
    ownFacts.exec(text)?.[0] ??
    (requestId === undefined ? text : text.replaceAll(requestId, 'its id'))
  );
}

/** What differs stands below them. */
const BARS_OF_BOTH = 3;

/** The times of a request and of the one that it repeats, side by side where there is room. */
function toBothTimes(
  before: RoutedRequest,
  after: RoutedRequest,
  columns: number,
): readonly Line[] {
  const isWide = columns >= 100;
  const room = isWide ? Math.floor(columns / 2) - 1 : columns;
  const toLines = (request: RoutedRequest, when: string): readonly Line[] => {
    const lines = toTimeLines(request, room, BARS_OF_BOTH).slice(2);
    const count = toCountsText(request.details?.marks);
    const took = `${when}: ${toDuration(request.durationMs)}${count === '' ? '' : `, ${count}`}`;
    return lines.length === 0 ? [] : [[{ text: took, token: 'title' }], ...lines, []];
  };
  const first = toLines(before, 'Before');
  const second = toLines(after, 'Now');
  if (!isWide) return [...first, ...second];
  const count = Math.max(first.length, second.length);
  return Array.from({ length: count }, (_, at) => [
    ...fitLine(first[at] ?? [], room),
    { text: '  ' },
    ...(second[at] ?? []),
  ]);
}
