import { Box } from 'ink';
import { type ReactNode, useMemo } from 'react';
import type { KeyHandler } from '../../kit/actions.ts';
import { Keys } from '../../kit/keys.tsx';
import type { Line } from '../../kit/line.ts';
import { LineViews } from '../../kit/line-view.tsx';
import { SCROLL_COLUMNS } from '../../kit/list-state.ts';
import { RowsView, type RowsViewProps, ScrollView } from '../../kit/rows-view.tsx';
import { type Size, useMemory } from '../../kit/use-ui.ts';
import type { OpenDev } from './use-dev.ts';

/** A view that shows a list, or one thing of it in its place. */
export interface PaneProps<Opened> extends Size {
  readonly dev: OpenDev;
  readonly opened: Opened | undefined;
  readonly onOpened: (opened: Opened | undefined) => void;
  readonly isFocused: boolean;
}

/** A list that grows, or is held while more comes. `total`: of all that came. `name`: unique on the screen. */
export function useHeld<T>(name: string, all: readonly T[], total: number) {
  const [held, setHeld] = useMemory<
    { readonly all: readonly T[]; readonly total: number } | undefined
  >(name, undefined);
  return {
    shown: held?.all ?? all,
    /** The line that says that it is held; undefined while it is not. */
    note:
      held &&
      ([
        { text: `  held, ${total - held.total} newer, Space goes on`, token: 'muted' },
      ] satisfies Line),
    hold: (isHeld: boolean) => setHeld(isHeld ? { all, total } : undefined),
  };
}

interface NotedRowsProps extends RowsViewProps {
  readonly notes: readonly Line[];
  /** What is shown in place of the list, with its keys. */
  readonly opened: ReactNode;
}

/** The list of a view, below the lines that tell of all of it, or one thing of it. */
export function NotedRows({ notes, rows, opened, ...view }: NotedRowsProps) {
  if (opened !== undefined)
    return (
      <Keys actions={view.actions} isActive={view.isFocused ?? true}>
        {opened}
      </Keys>
    );
  return (
    <Box flexDirection="column" height={rows}>
      <LineViews lines={notes} columns={view.columns} />
      <RowsView {...view} rows={Math.max(1, rows - notes.length)} />
    </Box>
  );
}

export interface OpenedTextProps extends Size {
  /** Unique among all that is opened: each stands where it was left. */
  readonly id: string;
  readonly isFocused: boolean;
  /** Gives the lines for the room that they have. Another function makes them anew. */
  readonly toLines: (columns: number) => readonly Line[];
  readonly onBack: () => void;
  /** Goes on from it. @default Enter leads back, too */
  readonly go?: KeyHandler | undefined;
}

const MARGIN = 1;
/** One request, job or line of the log, whole, in place of its list. */
export function OpenedText({ id, isFocused, toLines, columns, rows, onBack, go }: OpenedTextProps) {
  const [offset, onOffset] = useMemory(`offset of ${id}`, 0);
  const lines = useMemo(() => toLines(columns - MARGIN - SCROLL_COLUMNS), [toLines, columns]);
  const toList = { help: 'Back to the list', run: onBack };
  return (
    <Keys
      isActive={isFocused}
      actions={{
        back: toList,
        go: go ?? { ...toList, hint: undefined },
      }}
    >
      <ScrollView {...{ lines, offset, onOffset, columns, rows, isFocused }} margin={MARGIN} />
    </Keys>
  );
}
