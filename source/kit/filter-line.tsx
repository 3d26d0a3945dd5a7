import { Box } from 'ink';
import type { ReactNode } from 'react';
import { Keys } from './keys.tsx';
import { LineView } from './line-view.tsx';
import { type FilterState, isFilterShown, noFilter } from './list-state.ts';
import { textWidth } from './text.ts';
import { TextField } from './text-field.tsx';

export interface FilterLineProps extends FilterKeysProps {
  readonly columns: number;
  /** The count of what is left: `'12 of 340'`. */
  readonly count: string;
  readonly placeholder?: string;
}

export interface FilterKeysProps {
  readonly state: FilterState;
  readonly onState: (state: FilterState) => void;
  readonly isActive?: boolean;
  /** Gives the keys to the pane that it filters, where another has them; missing where its key does nothing. */
  readonly onFocus?: (() => void) | undefined;
  /** The key that opens it, and stands at its start, where it is another one than `/`. */
  readonly opener?: LineOpener;
}

export interface LineOpener {
  readonly keys: readonly [string];
  readonly help?: string;
  readonly hint?: string;
}

const slash: LineOpener = { keys: ['/'] };

/** The keys around a list that open its filter, and show everything again. */
export function FilterKeys({
  children,
  ...props
}: FilterKeysProps & { readonly children: ReactNode }) {
  const { state, onState, isActive = true, onFocus, opener = slash } = props;
  const change = (next: FilterState): void => {
    if (!isActive) onFocus?.();
    onState(next);
  };
  return (
    <Keys
      isActive={isActive ? !state.isOpen : onFocus !== undefined}
      actions={{
        filter: { ...opener, run: () => change({ ...state, isOpen: true }) },
        back:
          state.field.text !== '' && isActive
            ? { ...showAll, run: () => change(noFilter) }
            : undefined,
      }}
    >
      {children}
    </Keys>
  );
}

const showAll = { help: 'Show all again', hint: 'show all' };

/** Typing narrows the list, Enter leaves it so, Esc shows everything. One row while shown. */
export function FilterLine(props: FilterLineProps) {
  const { state, onState, columns, count, placeholder, isActive = true, opener = slash } = props;
  if (!isFilterShown(state)) return null;
  const room = columns - textWidth(count) - 5;
  const isTyped = isActive && state.isOpen;
  const close = (): void => onState({ ...state, isOpen: false });
  return (
    <Keys
      isForm
      isActive={isTyped}
      actions={{
        go: { help: 'Back to the list, filtered', hint: 'keep', run: close },
        pane: { keys: ['tab'], help: 'Back to the list, filtered', run: close },
        back: { ...showAll, run: () => onState(noFilter) },
      }}
    >
      <Box height={1} width={columns} gap={1}>
        <LineView line={[{ text: ` ${opener.keys[0]}`, token: 'key' }]} />
        <Box width={room}>
          <TextField
            state={state.field}
            onState={(field) => onState({ ...state, field })}
            columns={room}
            isFocused={isTyped}
            placeholder={placeholder}
          />
        </Box>
        <LineView line={[{ text: count, token: 'muted' }]} />
      </Box>
    </Keys>
  );
}
