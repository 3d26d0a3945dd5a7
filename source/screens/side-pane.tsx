import { Box } from 'ink';
import type { ReactNode } from 'react';
import { LineView } from '../kit/line/line-view.tsx';
import { useUi } from '../kit/theme/use-ui.ts';

export interface SidePaneProps {
  readonly columns: number;
  readonly rows: number;
  readonly children: ReactNode;
}

/** A pane at the right, behind a line. What is in it has two columns less. */
export function SidePane({ columns, rows, children }: SidePaneProps) {
  const { symbols } = useUi();
  return (
    <Box width={columns} height={rows} overflowY="hidden">
      <Box flexDirection="column" width={2}>
        {Array.from({ length: rows }, (_, row) => (
          <LineView key={row} line={[{ text: `${symbols.bar} `, token: 'muted' }]} />
        ))}
      </Box>
      <Box flexDirection="column" width={columns - 2}>
        {children}
      </Box>
    </Box>
  );
}
