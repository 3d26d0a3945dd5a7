import { Box } from 'ink';
import { useMemo, useState } from 'react';
import { type KeyLayer, toKeyText, toUsableLayers } from '../kit/key-binding.ts';
import { Keys, useKeyLayers } from '../kit/keys.tsx';
import { toCell } from '../kit/line.ts';
import { LineView } from '../kit/line-view.tsx';
import { emptyList } from '../kit/list-state.ts';
import { filterRows, type Row } from '../kit/row.ts';
import { RowsView } from '../kit/rows-view.tsx';
import { textWidth } from '../kit/text.ts';
import { TextField } from '../kit/text-field.tsx';
import { toTextField } from '../kit/text-field-state.ts';
import { signs } from '../kit/theme.ts';
import { useRows } from '../kit/use-rows.ts';
import { useBodySize } from '../kit/use-ui.ts';
import { useServices } from './use-screen.ts';

export interface PaletteCommand {
  readonly id: string;
  readonly title: string;
  readonly detail: string;
  readonly run: () => void;
}

interface PaletteProps {
  /** The ways out of this screen. The palette calls it when it opens, and calls another function again. */
  readonly commands: () => readonly PaletteCommand[];
  readonly onClose: () => void;
}

/** Every key that works on the screen under it, and every screen and capability, found by words. */
export function Palette({ commands, onClose }: PaletteProps) {
  const { columns, rows } = useBodySize();
  const { notify } = useServices();
  const [field, setField] = useState(toTextField(''));
  // The keys that worked when it was opened.
  const [layers] = useState(useKeyLayers());
  const all = useMemo(
    () => toRows([...toKeyCommands(layers, notify), ...commands()], columns),
    [layers, notify, commands, columns],
  );
  const list = useRows(
    useMemo(() => findCommands(all, field.text), [all, field.text]),
    'palette',
  );
  const close = (): void => {
    list.onState(emptyList);
    onClose();
  };
  const go = (): void => {
    close();
    list.selected?.run();
  };
  return (
    <Keys
      actions={{
        go: { help: 'Do it, or go there', hint: 'go', run: go },
        back: { help: 'Close', hint: 'close', run: close },
      }}
    >
      {/* The text is inside of the list, and above it: a letter is text first. */}
      <Box flexDirection="column-reverse" height={rows}>
        <RowsView
          list={list}
          columns={columns}
          rows={rows - 1}
          empty={`No match ${signs.dot} Esc closes.`}
        >
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
            />
          </Box>
        </RowsView>
      </Box>
    </Keys>
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

/** The keys that work now with all their names. */
function toKeyCommands(
  layers: readonly KeyLayer[],
  notify: (reason: string) => void,
): readonly PaletteCommand[] {
  return toUsableLayers(layers).flatMap(({ bindings }, index) =>
    bindings.map(({ action, keys, help, off, run }) => ({
      id: `key ${index} ${action}`,
      title: help,
      detail: [...keys.map((key) => toKeyText(key)), off ?? ''].join(' ').trim(),
      run: () => (off === undefined ? run(keys[0] ?? '') : notify(off)),
    })),
  );
}
