import { Box } from 'ink';
import type { Line } from '../line/line.ts';
import { fitLine, lineWidth } from '../line/line.ts';
import { LineView } from '../line/line-view.tsx';
import { textWidth } from '../text/text-width.ts';
import { signs } from '../theme/tokens.ts';
import { toKeyLine } from './key-binding.ts';
import { useKeyLayers } from './use-keys.ts';

export interface KeyLineProps {
  readonly columns: number;
  readonly notice?: string | undefined;
}

/** Columns between the keys and what happened. */
const GAP = 2;

/** The keys that work now, as many as fit; in the right corner what just happened, which takes the room it needs. */
export function KeyLine({ columns, notice }: KeyLineProps) {
  const layers = useKeyLayers();
  const said = notice ? `${notice} ` : '';
  const room = columns - 2 - textWidth(said);
  const hints = toKeyLine(layers, said === '' ? room : room - GAP);
  const keys = hints.flatMap(
    ({ key, hint }, index): Line => [
      { text: index === 0 ? ' ' : ` ${signs.dot} ` },
      { text: key, token: 'key' },
      { text: ` ${hint}` },
    ],
  );
  const gap = keys.length === 0 ? 1 : columns - lineWidth(keys) - textWidth(said);
  const line: Line = said === '' ? keys : [...keys, { text: ' '.repeat(gap) }, { text: said, token: 'accent' }];
  return (
    <Box width={columns} height={1}>
      <LineView line={fitLine(line, columns)} />
    </Box>
  );
}
