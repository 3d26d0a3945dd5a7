import { Box } from 'ink';
import { useMemo, useState } from 'react';
import { toBindings } from '../kit/actions.ts';
import { toKeyText, toUsableLayers } from '../kit/key-binding.ts';
import { type ActiveLayer, keyPriority } from '../kit/key-stack.ts';
import { toCell } from '../kit/line.ts';
import { LineView } from '../kit/line-view.tsx';
import { emptyList } from '../kit/list-state.ts';
import { filterRows, type Row } from '../kit/row.ts';
import { RowsView } from '../kit/rows-view.tsx';
import { textWidth } from '../kit/text.ts';
import { TextField } from '../kit/text-field.tsx';
import { toTextField } from '../kit/text-field-state.ts';
import { signs } from '../kit/theme.ts';
import { useKeyLayers, useKeys } from '../kit/use-keys.ts';
import { useRows } from '../kit/use-rows.ts';
import { useBodySize } from '../kit/use-ui.ts';

export interface PaletteCommand {
  readonly id: string;
  readonly title: string;
  readonly detail: string;
  readonly run: () => void;
}

const bindings = toBindings(['go', 'back'], {
  go: { help: 'Do it, or go there', hint: 'go' },
  back: { help: 'Close', hint: 'close' },
});

interface PaletteProps {
  /** The ways out of this screen. The palette calls it when it opens, and calls another function again. */
  readonly commands: () => readonly PaletteCommand[];
  readonly onClose: () => void;
}

/** Every key that works on the screen under it, and every screen and capability, found by words. */
export function Palette({ commands, onClose }: PaletteProps) {
  const { columns, rows } = useBodySize();
  const [field, setField] = useState(toTextField(''));
  // The keys that worked when it was opened.
  const [layers] = useState(useKeyLayers());
  const all = useMemo(
    () => toRows([...toKeyCommands(layers), ...commands()], columns),
    [layers, commands, columns],
  );
  const list = useRows(
    useMemo(() => findCommands(all, field.text), [all, field.text]),
    'palette',
  );
  useKeys({
    title: 'Keys and screens',
    bindings,
    priority: keyPriority.overlay,
    isModal: true,
    onAction: (action) => {
      list.onState(emptyList);
      onClose();
      if (action === 'go') list.selected?.run();
    },
  });
  return (
    <Box flexDirection="column" height={rows}>
      <Box height={1} gap={1}>
        <LineView line={[{ text: ' ?', token: 'key' }]} />
        <TextField
          state={field}
          onState={(next) => {
            setField(next);
            list.onState(emptyList);
          }}
          columns={columns - 4}
          placeholder="an action, a screen or a capability"
          priority={keyPriority.overlay + 2}
        />
      </Box>
      <RowsView
        list={list}
        columns={columns}
        rows={rows - 1}
        title="Keys and screens"
        empty={`No match ${signs.dot} Esc closes.`}
        priority={keyPriority.overlay + 1}
      />
    </Box>
  );
}

interface PaletteRow extends Row, Pick<PaletteCommand, 'run'> {}

function toRows(commands: readonly PaletteCommand[], columns: number): readonly PaletteRow[] {
  const width = Math.min(
    Math.floor(columns * 0.6),
    Math.max(...commands.map(({ title }) => textWidth(title))),
  );
  return commands.map(({ id, title, detail, run }) => ({
    id,
    line: [...toCell(title, { width }), { text: `  ${detail}`, token: 'muted' }],
    search: title,
    run,
  }));
}

/** The rows that have all words; those that begin with them come first. */
function findCommands(rows: readonly PaletteRow[], query: string): readonly PaletteRow[] {
  const start = query.trim().toLowerCase();
  const isFirst = ({ search = '' }: PaletteRow): boolean => search.toLowerCase().startsWith(start);
  return filterRows(rows, query).toSorted(
    (one, other) => Number(isFirst(other)) - Number(isFirst(one)),
  );
}

/** The keys that work now with all their names; those that only move come last. */
function toKeyCommands(layers: readonly ActiveLayer[]): readonly PaletteCommand[] {
  const commands = toUsableLayers(layers).flatMap(
    ({ bindings: own, title, isMovement = false }, index) =>
      own.map(({ action, keys, help }) => ({
        id: `key ${index} ${title} ${action}`,
        title: help,
        detail: keys.map((key) => toKeyText(key)).join(' '),
        run: () => layers[index]?.onAction(action, keys[0] ?? ''),
        isMovement,
      })),
  );
  return [
    ...commands.filter(({ isMovement }) => !isMovement),
    ...commands.filter(({ isMovement }) => isMovement),
  ];
}
