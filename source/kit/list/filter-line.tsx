import { Box } from 'ink';
import { useMemo } from 'react';
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
  /** The count of what is left: `'12 of 340'`. */
  readonly count: string;
  readonly placeholder?: string;
  /** Whether the pane that it filters has the keys. @default true */
  readonly isActive?: boolean;
  /** Gives the keys to the pane that it filters, where another pane has them; missing where its key is for nothing there. */
  readonly onFocus?: (() => void) | undefined;
  /** The keys that open it. A constant. @default `/`, the filter */
  readonly opener?: LineOpener;
}

export interface LineOpener {
  /** Opens the line, and stands at its start. */
  readonly key: string;
  /** The title in the help: `'Filter'`. */
  readonly title: string;
  /** The name in the key line. */
  readonly hint: string;
}

const filterOpener: LineOpener = { key: '/', title: 'Filter', hint: 'filter' };

type ClosedAction = 'open' | 'clear';
type OpenAction = 'keep' | 'clear';

const clear: KeyBinding<ClosedAction> = { action: 'clear', keys: ['esc'], help: 'Show all again', hint: 'show all' };
const openBindings: readonly KeyBinding<OpenAction>[] = [
  { action: 'keep', keys: ['enter', 'tab'], help: 'Back to the list, filtered', hint: 'keep' },
  { action: 'clear', keys: ['esc'], help: 'Show all again', hint: 'show all' },
];

/** `/` opens it, typing narrows the list at once, Enter leaves it so, Esc shows everything again. Takes one row while it is shown. */
export function FilterLine(props: FilterLineProps) {
  const { state, onState, columns, count, placeholder = '', isActive = true, onFocus, opener = filterOpener } = props;
  const { symbols } = useUi();
  const { field, isOpen } = state;
  const { key, title, hint } = opener;
  const hasText = field.text !== '';
  const closedBindings = useMemo((): readonly KeyBinding<ClosedAction>[] => {
    const open: KeyBinding<ClosedAction> = { action: 'open', keys: [key], help: title, hint };
    return hasText && isActive ? [open, clear] : [open];
  }, [key, title, hint, hasText, isActive]);
  useKeys<ClosedAction>({
    title,
    bindings: closedBindings,
    priority: keyPriority.screen + 1,
    isActive: isActive ? !isOpen : onFocus !== undefined,
    onAction: (action) => {
      if (!isActive) onFocus?.();
      onState(toNextFilter(state, { kind: action }));
    },
  });
  useKeys<OpenAction>({
    title,
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
      <LineView line={[{ text: ` ${key} `, token: 'key' }]} />
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
