import { useState } from 'react';
import type { Line } from '../line/line.ts';
import type { ListState } from '../list/list-state.ts';
import { ListView } from '../list/list-view.tsx';
import { textWidth } from '../text/text-width.ts';
import { useBodySize, useUi } from '../theme/use-ui.ts';
import { type KeyBinding, toKeyHelp } from './key-binding.ts';
import { keyPriority } from './key-stack.ts';
import { useKeyLayers, useKeys } from './use-keys.ts';

const bindings: readonly KeyBinding<'close'>[] = [
  { action: 'close', keys: ['esc', '?', 'q', 'enter'], help: 'Close', hint: 'close' },
];

/** Every key that worked when it was opened. */
export function HelpOverlay({ onClose }: { readonly onClose: () => void }) {
  const { symbols } = useUi();
  const size = useBodySize();
  const [layers] = useState(useKeyLayers());
  const [state, setState] = useState<ListState>();
  useKeys({ title: 'Help', bindings, onAction: onClose, priority: keyPriority.overlay, isModal: true });
  const groups = toKeyHelp(layers, symbols);
  const keyWidth = Math.max(16, ...groups.flatMap(({ keys }) => keys.map(({ key }) => textWidth(key))));
  const lines = groups.flatMap(({ title, keys }) => [
    { id: title, line: [{ text: title, token: 'title' }] satisfies Line },
    ...keys.map(({ key, help }) => ({
      id: `${title} ${key} ${help}`,
      line: [
        { text: `  ${key}${' '.repeat(keyWidth + 2 - textWidth(key))}`, token: 'key' },
        { text: help },
      ] satisfies Line,
    })),
  ]);
  return (
    <ListView
      items={lines}
      getKey={({ id }) => id}
      toLine={({ line }) => line}
      state={state}
      onState={setState}
      columns={size.columns}
      rows={size.rows}
      priority={keyPriority.overlay + 1}
    />
  );
}
