import { Box } from 'ink';
import { useMemo } from 'react';
import { toBindings, toFormBindings } from './actions.ts';
import { keyPriority } from './key-stack.ts';
import { LineView } from './line-view.tsx';
import { type FilterState, isFilterShown, noFilter } from './list-state.ts';
import { textWidth } from './text.ts';
import { TextField } from './text-field.tsx';
import { useKeys } from './use-keys.ts';

export interface FilterLineProps {
  readonly state: FilterState;
  readonly onState: (state: FilterState) => void;
  readonly columns: number;
  /** The count of what is left: `'12 of 340'`. */
  readonly count: string;
  readonly placeholder?: string;
  readonly isActive?: boolean;
  /** Gives the keys to the pane that it filters, where another has them; missing where its key does nothing. */
  readonly onFocus?: (() => void) | undefined;
  /** The key that opens it, and stands at its start, where it is another one than `/`. A constant. */
  readonly opener?: LineOpener;
}

export interface LineOpener {
  readonly keys: readonly [string];
  readonly help: string;
  readonly hint: string;
}

const slash: LineOpener = { keys: ['/'], help: 'Show only what has some words', hint: 'filter' };
const showAll = { help: 'Show all again', hint: 'show all' };
const typing = toFormBindings(['go', 'pane', 'back'], {
  go: { help: 'Back to the list, filtered', hint: 'keep' },
  pane: { keys: ['tab'], help: 'Back to the list, filtered' },
  back: showAll,
});

/** `/` opens it, typing narrows the list, Enter leaves it so, Esc shows everything. One row while shown. */
export function FilterLine(props: FilterLineProps) {
  const {
    state,
    onState,
    columns,
    count,
    placeholder = '',
    isActive = true,
    onFocus,
    opener = slash,
  } = props;
  const { field, isOpen } = state;
  const canClear = field.text !== '' && isActive;
  const closed = useMemo(
    () => toBindings(canClear ? ['filter', 'back'] : ['filter'], { filter: opener, back: showAll }),
    [opener, canClear],
  );
  useKeys<'filter' | 'back'>({
    title: 'Filter',
    bindings: closed,
    priority: keyPriority.screen + 1,
    isActive: isActive ? !isOpen : onFocus !== undefined,
    onAction: (action) => {
      if (!isActive) onFocus?.();
      onState(action === 'filter' ? { ...state, isOpen: true } : noFilter);
    },
  });
  useKeys<'go' | 'pane' | 'back'>({
    title: 'Filter',
    bindings: typing,
    priority: keyPriority.filter + 1,
    isActive: isActive && isOpen,
    onAction: (action) => onState(action === 'back' ? noFilter : { ...state, isOpen: false }),
  });
  if (!isFilterShown(state)) return null;
  const room = columns - textWidth(count) - 5;
  return (
    <Box height={1} width={columns} gap={1}>
      <LineView line={[{ text: ` ${opener.keys[0]}`, token: 'key' }]} />
      <Box width={room}>
        <TextField
          state={field}
          onState={(next) => onState({ ...state, field: next })}
          columns={room}
          isFocused={isActive && isOpen}
          priority={keyPriority.filter}
          placeholder={placeholder}
        />
      </Box>
      <LineView line={[{ text: count, token: 'muted' }]} />
    </Box>
  );
}
