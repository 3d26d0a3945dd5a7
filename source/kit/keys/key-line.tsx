import { Box } from 'ink';
import type { Line } from '../line/line.ts';
import { fitLine } from '../line/line.ts';
import { LineView } from '../line/line-view.tsx';
import { textWidth } from '../text/text-width.ts';
import { useUi } from '../theme/use-ui.ts';
import { type KeyHint, toKeyLine } from './key-binding.ts';
import { keyPriority } from './key-stack.ts';
import { useClick } from './use-click.ts';
import { useKeyLayers, usePress } from './use-keys.ts';

export interface KeyLineProps {
  readonly columns: number;
  readonly notice?: string | undefined;
}

/** The keys that work now, as many as fit; or what just happened. */
export function KeyLine({ columns, notice }: KeyLineProps) {
  const { symbols } = useUi();
  const layers = useKeyLayers();
  const press = usePress();
  const hints = notice ? [] : toKeyLine(layers, columns - 2, symbols);
  const ref = useClick(({ column }) => {
    const hint = findHint(hints, column);
    if (hint !== undefined) press(hint.name);
  }, keyPriority.tooSmall);
  const line: Line = notice
    ? [{ text: ` ${notice}`, token: 'accent' }]
    : hints.flatMap(
        ({ key, hint }, index): Line => [
          { text: index === 0 ? ' ' : ` ${symbols.dot} ` },
          { text: key, token: 'key' },
          { text: ` ${hint}` },
        ],
      );
  return (
    <Box ref={ref} width={columns} height={1}>
      <LineView line={fitLine(line, columns, symbols.ellipsis)} />
    </Box>
  );
}

/** The hint that is drawn at a column. */
function findHint(hints: readonly KeyHint[], column: number): KeyHint | undefined {
  let from = 1;
  return hints.find(({ key, hint }) => {
    const to = from + textWidth(key) + 1 + textWidth(hint);
    const isAt = column >= from && column < to;
    from = to + 3;
    return isAt;
  });
}
