import { Box } from 'ink';
import { useMemo, useState } from 'react';
import { TextField } from '../kit/field/text-field.tsx';
import { toTextField } from '../kit/field/text-field-state.ts';
import { findAction, type KeyBinding, toShownKey, toUsableBindings } from '../kit/keys/key-binding.ts';
import { type ActiveLayer, keyPriority } from '../kit/keys/key-stack.ts';
import { useKeyLayers, useKeys } from '../kit/keys/use-keys.ts';
import { type Line, toCell } from '../kit/line/line.ts';
import { LineView } from '../kit/line/line-view.tsx';
import { searchFuzzily } from '../kit/list/filter-fuzzily.ts';
import type { ListState } from '../kit/list/list-state.ts';
import { ListView } from '../kit/list/list-view.tsx';
import { textWidth } from '../kit/text/text-width.ts';
import type { Symbols } from '../kit/theme/tokens.ts';
import { useBodySize, useUi } from '../kit/theme/use-ui.ts';

export interface PaletteCommand {
  /** Unique. */
  readonly id: string;
  /** The text that is searched: `'show items.getItem'`. */
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

/** Every action of the screen under it, and every screen and capability, found by a few letters. */
export function Palette({
  commands,
  onClose,
}: {
  /** The ways out of this screen: asked when it is opened; another function is asked again. */
  readonly commands: () => readonly PaletteCommand[];
  readonly onClose: () => void;
}) {
  const { symbols } = useUi();
  const { columns, rows } = useBodySize();
  const [field, setField] = useState(toTextField(''));
  const [list, setList] = useState<ListState>();
  // The keys that worked when it was opened.
  const [layers] = useState(useKeyLayers());
  const all = useMemo(() => [...toActionCommands(layers, symbols), ...commands()], [layers, symbols, commands]);
  const titleWidth = Math.min(Math.floor(columns * 0.6), Math.max(...all.map(({ title }) => textWidth(title))));
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
          ...toCell(item.title, { width: titleWidth, matches, ellipsis: symbols.ellipsis }),
          { text: `  ${item.detail ?? ''}`, token: 'muted' },
        ]}
        state={list}
        onState={setList}
        columns={columns}
        rows={rows - 1}
        empty={`No match ${symbols.dot} Esc closes.`}
        priority={keyPriority.overlay + 2}
      />
    </Box>
  );
}

/** The actions of the keys that work now, but for those that only move; the outermost layer is that of the shell itself. */
function toActionCommands(layers: readonly ActiveLayer[], symbols: Symbols): readonly PaletteCommand[] {
  const actions = layers.filter(({ isMovement }) => !isMovement);
  return toUsableBindings(layers).flatMap((binding) => {
    const [key = ''] = binding.keys;
    const layer = actions.find(({ bindings }) => findAction(bindings, key) === binding.action);
    if (layer === undefined || layer.priority === keyPriority.shell) return [];
    const { action, help } = binding;
    return {
      id: `${layer.title} ${action}`,
      title: help,
      detail: toShownKey(binding, symbols),
      run: () => layer.onAction(action, key),
    };
  });
}
