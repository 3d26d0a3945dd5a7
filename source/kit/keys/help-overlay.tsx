import { Box } from 'ink';
import { useState } from 'react';
import type { Line } from '../line/line.ts';
import { ScrollView } from '../list/scroll-view.tsx';
import { SCROLL_COLUMNS } from '../list/to-scroll-marks.ts';
import { textWidth, wrapText } from '../text/text-width.ts';
import { type Size, useBodySize, useUi } from '../theme/use-ui.ts';
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
        lines={toHelpLines(groups, { columns, rows })}
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
function toHelpLines(groups: readonly KeyHelp[], { columns, rows }: Size): readonly Line[] {
  const widest = Math.max(MIN_KEY, ...groups.flatMap(({ keys }) => keys.map(({ key }) => textWidth(key))));
  const keyWidth = Math.min(widest, Math.max(MIN_KEY, Math.floor(columns * KEY_SHARE)));
  const room = columns - MARGIN - keyWidth - 2 - SCROLL_COLUMNS;
  const sections = groups.map(({ title, keys }): readonly Line[] => [
    [{ text: `  ${title}`, token: 'title' }],
    ...keys.flatMap((each) => toKeyLines(each, keyWidth, room)),
  ]);
  const count = sections.reduce((sum, lines) => sum + lines.length + 1, -1);
  const gap: readonly Line[] = count <= rows ? [[]] : [];
  return sections.flatMap((lines, index) => (index === 0 ? lines : [...gap, ...lines]));
}

/** Columns that keys have at least, the share that they have at most, and those before them. */
const MIN_KEY = 14;
const KEY_SHARE = 0.35;
const MARGIN = 4;

/** A key beside its help, which is wrapped; keys that are too long for their column have a row of their own. */
function toKeyLines({ key, help }: KeyHelp['keys'][number], keyWidth: number, room: number): readonly Line[] {
  const isLong = textWidth(key) > keyWidth;
  const before = (text: string): Line[number] => ({
    text: `${' '.repeat(MARGIN)}${text}${' '.repeat(keyWidth + 2 - textWidth(text))}`,
    token: 'key',
  });
  const said = wrapText(help, room).map((text, row): Line => [before(row === 0 && !isLong ? key : ''), { text }]);
  return isLong ? [[{ text: `${' '.repeat(MARGIN)}${key}`, token: 'key' }], ...said] : said;
}
