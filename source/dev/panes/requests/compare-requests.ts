import { diffArrays } from 'diff';
import { fitLine, type Line, toLineText } from '../../../kit/line/line.ts';
import { toDuration } from '../../../kit/text/to-duration.ts';
import type { Symbols, Token } from '../../../kit/theme/tokens.ts';
import type { RoutedRequest } from '../../../record/replace-url-secrets.ts';
import { findErrorFrame } from './find-error-frame.ts';
import { toRequestLines } from './request-lines.ts';

export interface CompareOptions {
  readonly before: RoutedRequest;
  readonly after: RoutedRequest;
  /** Absolute path of the project. */
  readonly root: string;
  readonly columns: number;
  readonly symbols: Symbols;
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

/** A request and the one that repeats it, with what differs marked: beside each other where there is room, else below each other. */
export function compareRequests({ before, after, root, columns, symbols }: CompareOptions): readonly Line[] {
  const isBeside = columns >= BESIDE;
  const width = (isBeside ? Math.floor((columns - symbols.bar.length - 2) / 2) : columns) - MARK;
  const toLines = (request: RoutedRequest): readonly Line[] =>
    toRequestLines(request, {
      frame: findErrorFrame(request.details?.error?.stack, root),
      columns: width,
      isRepeated: true,
    });
  const pairs = toPairs(toLines(before), toLines(after));
  const count = pairs.filter(({ differs }) => differs).length;
  const told = count === 0 ? 'nothing differs' : count === 1 ? '1 line differs' : `${count} lines differ`;
  const title: Line = [
    { text: `Sent again: ${told}`, token: 'title' },
    { text: `, ${toDuration(before.durationMs)} before, ${toDuration(after.durationMs)} now`, token: 'muted' },
  ];
  if (!isBeside) return [title, [], ...pairs.flatMap(toBelow)];
  const toBeside = ({ old, now, differs }: Pair): Line => [
    ...fitLine(toMarked(old ?? [], differs && old !== undefined ? '-' : ' '), width + MARK, symbols.ellipsis),
    { text: ` ${symbols.bar} `, token: 'muted' },
    ...toMarked(now ?? [], differs && now !== undefined ? '+' : ' '),
  ];
  return [title, [], ...pairs.map(toBeside)];
}

function toPairs(old: readonly Line[], now: readonly Line[]): readonly Pair[] {
  const pairs: Pair[] = [];
  let [from, to] = [0, 0];
  let removed: readonly Line[] = [];
  const endRemoved = (added: readonly Line[]): void => {
    for (let row = 0; row < Math.max(removed.length, added.length); row++)
      pairs.push({ old: removed[row], now: added[row], differs: true });
    removed = [];
  };
  for (const part of diffArrays(old.map(toCompared), now.map(toCompared))) {
    const { length } = part.value;
    if (part.removed) {
      removed = old.slice(from, from + length);
      from += length;
      continue;
    }
    endRemoved(part.added ? now.slice(to, to + length) : []);
    if (!part.added)
      for (let row = 0; row < length; row++) pairs.push({ old: old[from++], now: now[to + row], differs: false });
    to += length;
  }
  endRemoved([]);
  return pairs;
}

/** The text of a line that is compared. */
function toCompared(line: Line): string {
  const text = toLineText(line);
  return ownFacts.exec(text)?.[0] ?? text;
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
