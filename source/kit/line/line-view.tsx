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
}

/** A line that was fitted to its place. */
export function LineView({ line, isSelected = false, isFocused = true }: LineViewProps) {
  const theme = useContext(UiContext)?.theme ?? tokens;
  if (isSelected && isFocused) {
    return (
      <Text inverse wrap="truncate-end">
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
    </Text>
  );
}
