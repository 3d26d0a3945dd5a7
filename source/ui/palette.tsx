import { Box } from 'ink';
import { useMemo, useState } from 'react';
import { searchFuzzily } from './fuzzy-filter.ts';
import { keyPriority } from './key-stack.ts';
import type { KeyBinding } from './key-table.ts';
import { type Line, markMatches } from './line-segments.ts';
import { LineView } from './line-view.tsx';
import type { ListState } from './list-state.ts';
import { ListView } from './list-view.tsx';
import { TextField } from './text-field.tsx';
import { toTextField } from './text-field-state.ts';
import { useKeys } from './use-keys.ts';
import { useBodySize, useUi } from './use-ui.ts';

export interface PaletteCommand {
  /** Unique. */
  readonly id: string;
  /** What is searched: `'show items.getItem'`. */
  readonly title: string;
  /** Beside it: `'GET /items/:id'`. */
  readonly detail?: string | undefined;
  readonly run: () => void;
}

type PaletteAction = 'close' | 'run';

const bindings: readonly KeyBinding<PaletteAction>[] = [
  { action: 'run', keys: ['enter'], help: 'Go', hint: 'go' },
  { action: 'close', keys: ['esc', 'ctrl+p'], help: 'Close', hint: 'close' },
];

/** Every screen, capability and action, found by a few letters. */
export function Palette({
  commands,
  onClose,
}: {
  /** Asked when it is opened; another function is asked again. */
  readonly commands: () => readonly PaletteCommand[];
  readonly onClose: () => void;
}) {
  const { symbols } = useUi();
  const { columns, rows } = useBodySize();
  const [field, setField] = useState(toTextField(''));
  const [list, setList] = useState<ListState>();
  const all = useMemo(() => commands(), [commands]);
  const found = searchFuzzily(all, field.text, { getText: ({ title }) => title });
  const selected = found.find(({ item }) => item.id === list?.selectedKey) ?? found[0];
  useKeys<PaletteAction>({
    title: 'Go to',
    bindings,
    priority: keyPriority.overlay,
    isModal: true,
    onAction: (action) => {
      onClose();
      if (action === 'run') selected?.item.run();
    },
  });
  return (
    <Box flexDirection="column" height={rows}>
      <Box height={1}>
        <LineView line={[{ text: ' : ', token: 'key' }]} />
        <TextField
          state={field}
          onState={(state) => {
            setField(state);
            setList(undefined);
          }}
          columns={columns - 4}
          placeholder="a screen, a capability or an action"
          priority={keyPriority.overlay + 3}
        />
      </Box>
      <ListView
        items={found}
        getKey={({ item }) => item.id}
        toLine={({ item, matches }): Line => [
          ...markMatches(item.title, { matches }),
          { text: item.detail === undefined ? '' : `  ${item.detail}`, token: 'muted' },
        ]}
        state={list}
        onState={setList}
        columns={columns}
        rows={rows - 1}
        empty={`Nothing is called that ${symbols.dot} Esc closes.`}
        priority={keyPriority.overlay + 2}
      />
    </Box>
  );
}
