import { Text } from 'ink';
import type { ReactNode } from 'react';
import { fitLine, type Line, type Segment } from './line.ts';
import { type ScrollPlace, toScrollMarks } from './list-state.ts';
import { signs, tokens } from './theme.ts';

interface LineViewProps {
  readonly line: Line;
  readonly isSelected?: boolean;
  /** Whether its pane has the keys; the selection of another pane is only bold. @default true */
  readonly isFocused?: boolean;
}

/** A line that was fitted to its place. */
export function LineView({ line, isSelected = false, isFocused = true }: LineViewProps) {
  const isInverse = isSelected && isFocused;
  return (
    <Text wrap="truncate-end" bold={isSelected && !isFocused} inverse={isInverse}>
      {isInverse ? line.map(toInverse) : withoutEnd(line).map(toColored)}
    </Text>
  );
}

/** Lines below one another, each cut to its room. */
export function LineViews({
  lines,
  columns,
}: {
  readonly lines: readonly Line[];
  readonly columns: number;
}) {
  return lines.map((line, row) => <LineView key={row} line={fitLine(line, columns)} />);
}

/** Ink takes its time for each character of a frame, and what is not drawn is blank. A text of none has no row. */
function withoutEnd(line: Line): Line {
  const last = line.findLastIndex(({ text }) => text.trimEnd() !== '');
  if (last === -1) return [{ text: ' ' }];
  return line
    .slice(0, last + 1)
    .map((segment, index) =>
      index === last ? { ...segment, text: segment.text.trimEnd() } : segment,
    );
}

function toColored({ text, token }: Segment, index: number): ReactNode {
  return token === undefined ? (
    text
  ) : (
    <Text key={index} {...tokens[token]}>
      {text}
    </Text>
  );
}

/** Colours of texts would be those of the background here, and each part of the row would have another one. */
function toInverse({ text, token }: Segment, index: number): ReactNode {
  return token === 'match' ? (
    <Text key={index} bold underline>
      {text}
    </Text>
  ) : (
    text
  );
}

/** The mark at the right of a view that scrolls. One text, since each costs something with every key. */
export function ScrollMarks(place: ScrollPlace) {
  return <Text dimColor>{toScrollMarks(place).join('\n')}</Text>;
}

/** The line between two panes. */
export function PaneRule({ rows }: { readonly rows: number }) {
  return <Text dimColor>{Array.from({ length: rows }, () => signs.bar).join('\n')}</Text>;
}
