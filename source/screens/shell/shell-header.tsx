import { Box } from 'ink';
import { LineView } from '../../kit/line/line-view.tsx';
import { useUi } from '../../kit/theme/use-ui.ts';
import { type ShellHeaderProps, toHeaderLines } from './header-lines.ts';

export function ShellHeader(props: ShellHeaderProps) {
  const { symbols } = useUi();
  const [said, rule] = toHeaderLines(props, symbols);
  return (
    <Box flexDirection="column" height={2}>
      <LineView line={said} />
      <LineView line={rule} />
    </Box>
  );
}
