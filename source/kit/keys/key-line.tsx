import type { Line } from '../line/line.ts';
import { fitLine } from '../line/line.ts';
import { LineView } from '../line/line-view.tsx';
import { useUi } from '../theme/use-ui.ts';
import { toKeyLine } from './key-binding.ts';
import { useKeyLayers } from './use-keys.ts';

export interface KeyLineProps {
  readonly columns: number;
  readonly notice?: string | undefined;
}

/** The keys that work now, as many as fit; or what just happened. */
export function KeyLine({ columns, notice }: KeyLineProps) {
  const { symbols } = useUi();
  const layers = useKeyLayers();
  const line: Line = notice
    ? [{ text: ` ${notice}`, token: 'accent' }]
    : toKeyLine(layers, columns - 2, symbols).flatMap(
        ({ key, hint }, index): Line => [
          { text: index === 0 ? ' ' : ` ${symbols.dot} ` },
          { text: key, token: 'key' },
          { text: ` ${hint}` },
        ],
      );
  return <LineView line={fitLine(line, columns, symbols.ellipsis)} />;
}
