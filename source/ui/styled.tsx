import { Text } from 'ink';
import type { ReactNode } from 'react';
import { type Token, tokens } from './theme.ts';

export interface StyledProps {
  /** @default 'text' */
  readonly token?: Token | undefined;
  readonly isBold?: boolean;
  /** What is too long is cut. @default false, it is wrapped */
  readonly isOneLine?: boolean;
  readonly children?: ReactNode;
}

/** Text by its meaning. */
export function Styled({ token = 'text', isBold, isOneLine, children }: StyledProps) {
  return (
    <Text {...tokens[token]} {...(isBold ? { bold: true } : {})} wrap={isOneLine ? 'truncate-end' : 'wrap'}>
      {children}
    </Text>
  );
}
