import { Box } from 'ink';
import { useState } from 'react';
import type { Line } from '../line/line.ts';
import { ScrollView } from '../list/scroll-view.tsx';
import { textWidth } from '../text/text-width.ts';
import { useBodySize, useUi } from '../theme/use-ui.ts';
import { type KeyBinding, type KeyHelp, toKeyHelp } from './key-binding.ts';
import { keyPriority } from './key-stack.ts';
import { useKeyLayers, useKeys } from './use-keys.ts';

const bindings: readonly KeyBinding<'close'>[] = [
  { action: 'close', keys: ['esc', '?', 'q', 'enter'], help: 'Close', hint: 'close' },
];

/** Every key that worked when it was opened. */
export function HelpOverlay({ onClose }: { readonly onClose: () => void }) {
  const { symbols } = useUi();
  const { columns, rows } = useBodySize();
  const [layers] = useState(useKeyLayers());
  const [offset, setOffset] = useState(0);
  useKeys({ title: 'Help', bindings, onAction: onClose, priority: keyPriority.overlay, isModal: true });
  const groups = toKeyHelp(layers, symbols);
  return (
    <Box height={rows}>
      <ScrollView
        lines={toHelpLines(groups, rows)}
        offset={offset}
        onOffset={setOffset}
        columns={columns}
        rows={rows}
        priority={keyPriority.overlay + 1}
      />
    </Box>
  );
}

/** The groups with a blank line between them, where that leaves room for all. */
function toHelpLines(groups: readonly KeyHelp[], rows: number): readonly Line[] {
  const keyWidth = Math.max(16, ...groups.flatMap(({ keys }) => keys.map(({ key }) => textWidth(key))));
  const count = groups.reduce((sum, { keys }) => sum + keys.length + 2, -1);
  const gap: readonly Line[] = count <= rows ? [[]] : [];
  return groups.flatMap(({ title, keys }, index): readonly Line[] => [
    ...(index === 0 ? [] : gap),
    [{ text: `  ${title}`, token: 'title' }],
    ...keys.map(
      ({ key, help }): Line => [
        { text: `    ${key}${' '.repeat(keyWidth + 2 - textWidth(key))}`, token: 'key' },
        { text: help },
      ],
    ),
  ]);
}
