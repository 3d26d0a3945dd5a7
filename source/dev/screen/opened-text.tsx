import { useMemo } from 'react';
import type { Line } from '../../kit/line.ts';
import { SCROLL_COLUMNS } from '../../kit/list-state.ts';
import { ScrollView } from '../../kit/rows-view.tsx';
import { useKept } from '../../kit/use-kept.ts';
import type { Size } from '../../kit/use-ui.ts';
import type { OpenDev } from './use-dev.ts';

/** A view that shows a list, or one thing of it in its place. */
export interface PaneProps<Opened> extends Size {
  readonly dev: OpenDev;
  readonly opened: Opened | undefined;
  readonly onOpened: (opened: Opened | undefined) => void;
  readonly isFocused: boolean;
}

export interface OpenedTextProps extends Size {
  /** Unique among all that is opened: each stands where it was left. */
  readonly id: string;
  readonly title: string;
  readonly isFocused: boolean;
  /** Gives the lines for the room that they have. Another function makes them anew. */
  readonly toLines: (columns: number) => readonly Line[];
}

const MARGIN = 1;

/** One request, job or line of the log, whole, in place of its list. */
export function OpenedText({ id, title, isFocused, toLines, columns, rows }: OpenedTextProps) {
  const [offset, onOffset] = useKept(`offset of ${id}`, 0);
  const lines = useMemo(() => toLines(columns - MARGIN - SCROLL_COLUMNS), [toLines, columns]);
  return <ScrollView {...{ lines, offset, onOffset, columns, rows, title, isFocused }} margin={MARGIN} />;
}
