import { Box } from 'ink';
import { TextField } from '../field/text-field.tsx';
import type { KeyBinding } from '../keys/key-binding.ts';
import { keyPriority } from '../keys/key-stack.ts';
import { useKeys } from '../keys/use-keys.ts';
import { fitLine } from '../line/line.ts';
import { LineView } from '../line/line-view.tsx';
import { textWidth } from '../text/text-width.ts';
import { useUi } from '../theme/use-ui.ts';
import { type FilterState, isFilterShown, toNextFilter } from './filter-state.ts';

export interface FilterLineProps {
  readonly state: FilterState;
  readonly onState: (state: FilterState) => void;
  readonly columns: number;
  /** How much of what is left: `'12 of 340'`. */
  readonly count: string;
  readonly placeholder?: string;
  /** Whether the pane that it filters has the keys. @default true */
  readonly isActive?: boolean;
}

type ClosedAction = 'open' | 'clear';
type OpenAction = 'keep' | 'clear';

const open: KeyBinding<ClosedAction> = { action: 'open', keys: ['/'], help: 'Filter', hint: 'filter' };
const clear: KeyBinding<ClosedAction> = { action: 'clear', keys: ['esc'], help: 'Show all again', hint: 'show all' };
const closedBindings = [open];
const filteredBindings = [open, clear];
const openBindings: readonly KeyBinding<OpenAction>[] = [
  { action: 'keep', keys: ['enter', 'tab'], help: 'Back to the list, filtered', hint: 'keep' },
  { action: 'clear', keys: ['esc'], help: 'Show all again', hint: 'show all' },
];

/** `/` opens it, typing narrows the list at once, Enter leaves it so, Esc shows everything again. Takes one row while it is shown. */
export function FilterLine(props: FilterLineProps) {
  const { state, onState, columns, count, placeholder = '', isActive = true } = props;
  const { symbols } = useUi();
  const { field, isOpen } = state;
  useKeys<ClosedAction>({
    title: 'Filter',
    bindings: field.text === '' ? closedBindings : filteredBindings,
    priority: keyPriority.screen + 1,
    isActive: isActive && !isOpen,
    onAction: (action) => onState(toNextFilter(state, { kind: action })),
  });
  useKeys<OpenAction>({
    title: 'Filter',
    bindings: openBindings,
    priority: keyPriority.filter + 1,
    isActive: isActive && isOpen,
    onAction: (action) => onState(toNextFilter(state, { kind: action })),
  });
  if (!isFilterShown(state)) return null;
  const countWidth = textWidth(count) + 2;
  const room = columns - 3 - countWidth;
  return (
    <Box height={1} width={columns}>
      <LineView line={[{ text: ' / ', token: 'key' }]} />
      <Box width={room}>
        <TextField
          state={field}
          onState={(next) => onState(toNextFilter(state, { kind: 'type', field: next }))}
          columns={room}
          isFocused={isActive && isOpen}
          priority={keyPriority.filter}
          placeholder={placeholder}
        />
      </Box>
      <LineView line={fitLine([{ text: ` ${count}`, token: 'muted' }], countWidth, symbols.ellipsis)} />
    </Box>
  );
}
