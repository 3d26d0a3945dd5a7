import { go } from 'fuzzysort';
import { Box } from 'ink';
import { useMemo, useState } from 'react';
import { toBindings } from '../kit/actions.ts';
import { toKeyText, toUsableLayers } from '../kit/key-binding.ts';
import { type ActiveLayer, keyPriority } from '../kit/key-stack.ts';
import { toCell } from '../kit/line.ts';
import { LineView } from '../kit/line-view.tsx';
import { emptyList, findSelected, noFilter } from '../kit/list-state.ts';
import { type Row, toSeenRows } from '../kit/row.ts';
import { RowsView } from '../kit/rows-view.tsx';
import { textWidth } from '../kit/text.ts';
import { TextField } from '../kit/text-field.tsx';
import { toTextField } from '../kit/text-field-state.ts';
import { signs } from '../kit/theme.ts';
import { useKeyLayers, useKeys } from '../kit/use-keys.ts';
import { useBodySize } from '../kit/use-ui.ts';

export interface PaletteCommand {
  /** Unique. */
  readonly id: string;
  /** The text that is searched: `'show items.getItem'`. */
  readonly title: string;
  /** Beside it: `'GET /items/:id'`. */
  readonly detail?: string | undefined;
  readonly run: () => void;
}

const bindings = [
  ...toBindings(['go'], { go: { help: 'Do it, or go there', hint: 'go' } }),
  ...toBindings(['back'], { back: { help: 'Close', hint: 'close' } }),
];
const nothing: ReadonlySet<string> = new Set();
const idle = (): void => {};

interface PaletteProps {
  /** The ways out of this screen: asked when it is opened; another function is asked again. */
  readonly commands: () => readonly PaletteCommand[];
  readonly onClose: () => void;
}

/** Every key that works on the screen under it, and every screen and capability, found by a few letters. */
export function Palette({ commands, onClose }: PaletteProps) {
  const { columns, rows } = useBodySize();
  const [field, setField] = useState(toTextField(''));
  const { list, selected } = useFound(commands, field.text, columns);
  useKeys({
    title: 'Keys and screens',
    bindings,
    priority: keyPriority.overlay,
    isModal: true,
    onAction: (action) => {
      onClose();
      if (action === 'go') selected?.run();
    },
  });
  return (
    <Box flexDirection="column" height={rows}>
      <Box height={1}>
        <LineView line={[{ text: ' ? ', token: 'key' }]} />
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

/** The matches of the typed letters, as rows that neither fold nor have a filter of their own. */
function useFound(commands: PaletteProps['commands'], query: string, columns: number) {
  const [state, onState] = useState(emptyList);
  // The keys that worked when it was opened.
  const [layers] = useState(useKeyLayers());
  const all = useMemo(() => [...toKeyCommands(layers), ...commands()], [layers, commands]);
  const found = useMemo(() => searchFuzzily(all, query, toTitle), [all, query]);
  const width = Math.min(Math.floor(columns * 0.6), Math.max(...all.map(({ title }) => textWidth(title))));
  const rows = useMemo(() => found.map((each) => toRow(each, width)), [found, width]);
  const seen = useMemo(() => toSeenRows(rows, nothing), [rows]);
  const still = { toggled: nothing, onToggled: idle, toggle: idle, reveal: idle, filter: noFilter, onFilter: idle };
  const list = { rows, seen, selected: undefined, state, onState, count: '', ...still };
  return { list, selected: findSelected(found, state, ({ id }) => id) };
}

function toTitle({ title }: PaletteCommand): string {
  return title;
}

function toRow({ id, title, detail = '' }: PaletteCommand, width: number): Row {
  return { id, line: [...toCell(title, { width }), { text: `  ${detail}`, token: 'muted' }] };
}

/** The keys that work now with all their names; those that only move come last. */
function toKeyCommands(layers: readonly ActiveLayer[]): readonly PaletteCommand[] {
  const usable = toUsableLayers(layers).map(({ bindings: own, title }, index) => ({
    own,
    title,
    layer: layers[index],
  }));
  const toCommands = (isMovement: boolean): readonly PaletteCommand[] =>
    usable
      .filter(({ layer }) => (layer?.isMovement ?? false) === isMovement)
      .flatMap(({ own, title, layer }, index) =>
        own.map(({ action, keys, help }) => ({
          id: `key ${index} ${title} ${action}`,
          title: help,
          detail: keys.map((key) => toKeyText(key)).join(' '),
          run: () => layer?.onAction(action, keys[0] ?? ''),
        })),
      );
  return [...toCommands(false), ...toCommands(true).map((command) => ({ ...command, id: `moving ${command.id}` }))];
}

/** A match below it is a coincidence of letters. */
const LOWEST_SCORE = 0.35;

/** The items that the letters of a query find in their texts, the best first; an empty query finds all. */
export function searchFuzzily<Item>(
  items: readonly Item[],
  query: string,
  toText: (item: Item) => string,
): readonly Item[] {
  if (query.trim() === '') return items;
  const searched = items.map((item) => ({ item, text: toText(item) }));
  return go(query.trim(), searched, { key: 'text', threshold: LOWEST_SCORE }).map(({ obj }) => obj.item);
}
