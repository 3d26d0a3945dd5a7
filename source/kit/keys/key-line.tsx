import { Box } from 'ink';
import type { Line } from '../line/line.ts';
import { fitLine, lineWidth } from '../line/line.ts';
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

/** Columns between the keys and what happened. */
const GAP = 2;

/** The keys that work now, as many as fit; in the right corner what just happened, which takes the room it needs. */
export function KeyLine({ columns, notice }: KeyLineProps) {
  const { symbols } = useUi();
  const layers = useKeyLayers();
  const press = usePress();
  const said = notice ? `${notice} ` : '';
  const room = columns - 2 - textWidth(said);
  const hints = toKeyLine(layers, said === '' ? room : room - GAP, symbols);
  const ref = useClick(({ column }) => {
    const hint = findHint(hints, column);
    if (hint !== undefined) press(hint.name);
  }, keyPriority.tooSmall);
  const keys = hints.flatMap(
    ({ key, hint }, index): Line => [
      { text: index === 0 ? ' ' : ` ${symbols.dot} ` },
      { text: key, token: 'key' },
      { text: ` ${hint}` },
    ],
  );
  const gap = keys.length === 0 ? 1 : columns - lineWidth(keys) - textWidth(said);
  const line: Line = said === '' ? keys : [...keys, { text: ' '.repeat(gap) }, { text: said, token: 'accent' }];
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
