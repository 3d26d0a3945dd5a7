import { diffArrays } from 'diff';
import { fitLine, type Line, toLineText } from '../../kit/line.ts';
import { toDuration } from '../../kit/text.ts';
import { signs, type Token } from '../../kit/theme.ts';
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

/** Columns from which on the two stand beside each other. */
const BESIDE = 100;

/** Columns of the mark before a line. */
const MARK = 2;

/** Facts that differ each time, and tell nothing. */
const ownFacts = /^ {2}(came at|took|request id) |^ {2}(date|x-request-id|connection|keep-alive): /i;

/** A line of the one, and the line of the other in the same place. */
interface Pair {
  readonly old: Line | undefined;
  readonly now: Line | undefined;
  readonly differs: boolean;
}

/** A request and the one that repeats it, with what differs marked: beside each other where there is room. */
export function compareRequests({ before, after, frames, columns }: CompareOptions): readonly Line[] {
  const isBeside = columns >= BESIDE;
  const width = (isBeside ? Math.floor((columns - signs.bar.length - 2) / 2) : columns) - MARK;
  const old = toRequestLines(before, { frame: frames.before, columns: width, isRepeated: true });
  const now = toRequestLines(after, { frame: frames.after, columns: width, isRepeated: true });
  const pairs = toPairs(
    old.map((line) => ({ line, compared: toCompared(line, before) })),
    now.map((line) => ({ line, compared: toCompared(line, after) })),
  );
  const count = pairs.filter(({ differs }) => differs).length;
  const told = count === 0 ? 'no differences' : count === 1 ? '1 line differs' : `${count} lines differ`;
  const title: Line = [
    { text: `Sent again: ${told}`, token: 'title' },
    { text: `, ${toDuration(before.durationMs)} before, ${toDuration(after.durationMs)} now`, token: 'muted' },
  ];
  if (!isBeside) return [title, [], ...pairs.flatMap(toBelow)];
  const toBeside = ({ old, now, differs }: Pair): Line => [
    ...fitLine(toMarked(old ?? [], differs && old !== undefined ? '-' : ' '), width + MARK),
    { text: ` ${signs.bar} `, token: 'muted' },
    ...toMarked(now ?? [], differs && now !== undefined ? '+' : ' '),
  ];
  return [title, [], ...pairs.map(toBeside)];
}

interface Compared {
  readonly line: Line;
  readonly compared: string;
}

function toPairs(old: readonly Compared[], now: readonly Compared[]): readonly Pair[] {
  const pairs: Pair[] = [];
  let [from, to] = [0, 0];
  let removed: readonly Compared[] = [];
  const endRemoved = (added: readonly Compared[]): void => {
    for (let row = 0; row < Math.max(removed.length, added.length); row++)
      pairs.push({ old: removed[row]?.line, now: added[row]?.line, differs: true });
    removed = [];
  };
  for (const part of diffArrays(
    old.map(({ compared }) => compared),
    now.map(({ compared }) => compared),
  )) {
    const { length } = part.value;
    if (part.removed) {
      removed = old.slice(from, from + length);
      from += length;
      continue;
    }
    endRemoved(part.added ? now.slice(to, to + length) : []);
    if (!part.added)
      for (let row = 0; row < length; row++)
        pairs.push({ old: old[from++]?.line, now: now[to + row]?.line, differs: false });
    to += length;
  }
  endRemoved([]);
  return pairs;
}

/** The text of a line that is compared: the id of a request may stand anywhere in it. */
function toCompared(line: Line, { requestId }: RoutedRequest): string {
  const text = toLineText(line);
  return ownFacts.exec(text)?.[0] ?? (requestId === undefined ? text : text.replaceAll(requestId, 'its id'));
}

function toBelow({ old, now, differs }: Pair): readonly Line[] {
  if (!differs) return [toMarked(now ?? [], ' ')];
  return [...(old ? [toMarked(old, '-')] : []), ...(now ? [toMarked(now, '+')] : [])];
}

function toMarked(line: Line, mark: '-' | '+' | ' '): Line {
  if (mark === ' ') return [{ text: '  ' }, ...line];
  const token: Token = mark === '-' ? 'removed' : 'added';
  return [{ text: `${mark} ${toLineText(line)}`, token }];
}
