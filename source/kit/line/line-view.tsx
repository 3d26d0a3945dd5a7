import { Text } from 'ink';
import { useContext } from 'react';
import { tokens } from '../theme/tokens.ts';
import { UiContext } from '../theme/use-ui.ts';
import type { Line } from './line.ts';

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
  const theme = useContext(UiContext)?.theme ?? tokens;
  const after = end === '' ? undefined : <Text {...theme.muted}>{end}</Text>;
  if (isSelected && isFocused) {
    return (
      <Text wrap="truncate-end">
        <Text inverse>
          {line.map(({ text, token }, index) =>
            token === 'match' ? (
              <Text key={index} bold underline>
                {text}
              </Text>
            ) : (
              text
            ),
          )}
        </Text>
        {after}
      </Text>
    );
  }
  return (
    <Text wrap="truncate-end" bold={isSelected}>
      {line.map(({ text, token }, index) =>
        token === undefined ? (
          text
        ) : (
          <Text key={index} {...theme[token]}>
            {text}
          </Text>
        ),
      )}
      {after}
    </Text>
  );
}
