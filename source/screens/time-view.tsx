import { Box } from 'ink';
import { useMemo } from 'react';
import { Keys } from '../kit/keys.tsx';
import { fitLine, type Line, wrapLine } from '../kit/line.ts';
import { LineView, LineViews } from '../kit/line-view.tsx';
import { emptyList } from '../kit/list-state.ts';
import { RowsView, ScrollView } from '../kit/rows-view.tsx';
import { signs } from '../kit/theme.ts';
import { useRows } from '../kit/use-rows.ts';
import { type Size, useMemory } from '../kit/use-ui.ts';
import type { Marks } from '../record/call-marks.ts';
import { useServices } from './use-screen.ts';
import { toAxisLine, toRowFacts, toWaterfall, type WaterfallRow } from './waterfall.ts';

export interface TimeViewProps extends Size {
  /** Unique among all that has times: each stands where it was left. */
  readonly id: string;
  readonly title: Line;
  readonly marks: Marks;
  readonly durationMs: number;
  /** Absolute path of the project. */
  readonly root: string;
  readonly isFocused: boolean;
  readonly onBack: () => void;
}

const MARGIN = 1;
/** The share of the height that the selected bar may take for its words. */
const FACTS_SHARE = 0.35;

/** Where the time of a call went: a bar for each step and each wait, and the words of the one that is selected. */
export function TimeView(props: TimeViewProps) {
  const { id, title, marks, durationMs, root, columns, rows, isFocused, onBack } = props;
  const { edit, copy } = useServices();
  const waterfall = useMemo(() => toWaterfall(marks, durationMs), [marks, durationMs]);
  // The eye meets the longest first.
  const list = useRows<WaterfallRow>(waterfall.rows, `times of ${id}`, {
    ...emptyList,
    selectedKey: waterfall.longest?.id,
  });
  const [isWhole, setWhole] = useMemory(`whole time of ${id}`, false);
  const [offset, onOffset] = useMemory(`offset of time of ${id}`, 0);
  const { selected } = list;
  const facts = useMemo(
    () =>
      (selected === undefined ? [] : toRowFacts(selected, waterfall, root)).flatMap((line) =>
        wrapLine(line, columns - 2 * MARGIN - 1),
      ),
    [selected, waterfall, root, columns],
  );
  const place = selected?.marks[0].place;
  const actions = {
    go: { help: 'Show it whole', hint: 'whole', run: () => setWhole(true) },
    back: { help: 'Back to the request', run: onBack },
    edit: {
      help: 'Open the line that it came from in $EDITOR',
      off: place === undefined ? 'It came from no line of the project that is known' : undefined,
      run: () => edit(place),
    },
    copy: {
      help: 'Copy the statement or the URL',
      run: () => selected && copy(selected.marks[0].name, 'its name'),
    },
  };
  if (isWhole)
    return (
      <Keys
        isActive={isFocused}
        actions={{
          ...actions,
          go: () => setWhole(false),
          back: { help: 'Back to the bars', run: () => setWhole(false) },
        }}
      >
        <ScrollView
          {...{ columns, rows, offset, onOffset, isFocused }}
          lines={facts}
          margin={MARGIN}
        />
      </Keys>
    );
  const note = toNote(waterfall.leftOut);
  const factRows =
    rows < 10 ? 0 : Math.min(facts.length, Math.max(2, Math.floor(rows * FACTS_SHARE)));
  const above = 1 + note.length;
  const below = factRows === 0 ? 0 : factRows + 1;
  return (
    <Box flexDirection="column" height={rows} width={columns}>
      <LineView line={fitLine([{ text: ' ' }, ...title], columns)} />
      <RowsView
        list={list}
        columns={columns}
        rows={Math.max(1, rows - above - below)}
        toHeader={(room) => toAxisLine(waterfall, room)}
        actions={actions}
        isFocused={isFocused}
        empty="No time was recorded."
        placeholder="words of a step, a statement or a URL"
      />
      <LineViews lines={note} columns={columns} />
      {factRows > 0 && <LineView line={[{ text: signs.line.repeat(columns), token: 'muted' }]} />}
      {facts.slice(0, factRows).map((line, row) => (
        <LineView key={row} line={fitLine([{ text: ' '.repeat(MARGIN) }, ...line], columns)} />
      ))}
    </Box>
  );
}

function toNote(leftOut: number): readonly Line[] {
  if (leftOut <= 0) return [];
  return [[{ text: `  ${leftOut} more are counted, and have no bar`, token: 'muted' }]];
}
