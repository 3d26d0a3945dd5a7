import { diffArrays } from 'diff';
import { type Line, toLineText } from '../../kit/line.ts';
import { toDuration } from '../../kit/text.ts';
import type { RoutedRequest } from '../../record/replace-url-secrets.ts';
import { toRequestLines } from './request-lines.ts';

/** The lines of the project around an error: of a request, and of the one that it repeats. */
export interface ErrorFrames {
  readonly before?: string | undefined;
  readonly after?: string | undefined;
}

export interface CompareOptions {
  readonly before: RoutedRequest;
  readonly after: RoutedRequest;
  /** The lines around the places where their errors were thrown. */
  readonly frames: ErrorFrames;
  readonly columns: number;
}

/** Facts that differ each time, and tell nothing. */
const ownFacts = /^ {2}(came at|took|request id) |^ {2}(date|x-request-id|connection|keep-alive): /i;

/** A request that repeats another one, with the lines of both where they differ. */
export function compareRequests({ before, after, frames, columns }: CompareOptions): readonly Line[] {
  const toLines = (request: RoutedRequest, frame: string | undefined) =>
    toRequestLines(request, { frame, columns: columns - 2, isRepeated: true }).map((line) => ({
      line,
      compared: toCompared(line, request),
    }));
  const parts = diffArrays(toLines(before, frames.before), toLines(after, frames.after), {
    comparator: (one, other) => one.compared === other.compared,
  });
  const count = parts.reduce((sum, { added, removed, value }) => sum + (added || removed ? value.length : 0), 0);
  return [
    [
      { text: `Sent again: ${count === 0 ? 'no differences' : `${count} lines differ`}`, token: 'title' },
      { text: `, ${toDuration(before.durationMs)} before, ${toDuration(after.durationMs)} now`, token: 'muted' },
    ],
    [],
    ...parts.flatMap(({ added, removed, value }) =>
      value.map(({ line }): Line => {
        if (!added && !removed) return [{ text: '  ' }, ...line];
        return [{ text: `${added ? '+' : '-'} ${toLineText(line)}`, token: added ? 'added' : 'removed' }];
      }),
    ),
  ];
}

/** The text of a line that is compared: the id of a request may stand anywhere in it. */
function toCompared(line: Line, { requestId }: RoutedRequest): string {
  const text = toLineText(line);
  return ownFacts.exec(text)?.[0] ?? (requestId === undefined ? text : text.replaceAll(requestId, 'its id'));
}
