import { Text } from 'ink';
import type { ReactNode } from 'react';
import type { Line, Segment } from './line.ts';
import { tokens } from './theme.ts';

export interface LineViewProps {
  readonly line: Line;
  readonly isSelected?: boolean;
  /** Whether its pane has the keys; the selection of another pane is only bold. @default true */
  readonly isFocused?: boolean;
  /** Stands after the line and is never marked as selected: the piece of a scroll mark. */
  readonly end?: string;
}

/** A line that was fitted to its place. */
export function LineView({ line, isSelected = false, isFocused = true, end = '' }: LineViewProps) {
  const after = end === '' ? undefined : <Text {...tokens.muted}>{end}</Text>;
  if (!isSelected || !isFocused) {
    return (
      <Text wrap="truncate-end" bold={isSelected}>
        {toColored(line)}
        {after}
      </Text>
    );
  }
  return (
    <Text wrap="truncate-end">
      <Text {...tokens.selected}>{line.map(toInverse)}</Text>
      {after}
    </Text>
  );
}

function toColored(line: Line): readonly ReactNode[] {
  return line.map(({ text, token }, index) =>
    token === undefined ? (
      text
    ) : (
      <Text key={index} {...tokens[token]}>
        {text}
      </Text>
    ),
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
