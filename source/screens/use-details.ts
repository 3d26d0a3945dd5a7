import { toBindings } from '../kit/actions.ts';
import type { KeyBinding } from '../kit/key-binding.ts';
import { useKept } from '../kit/use-kept.ts';

/** The details of what is selected: how far they are scrolled, and whether they have the keys. */
export interface Details {
  /** Index of the first line shown. */
  readonly offset: number;
  readonly onOffset: (offset: number) => void;
  readonly isFocused: boolean;
  /** Gives the keys to the other pane. */
  readonly toggle: () => void;
  /** To the first line, for a new selection. */
  readonly rewind: () => void;
}

/** The key that moves between the two panes, for the table of a screen. */
export const [paneBinding] = toBindings(['pane']) as readonly [KeyBinding<'pane'>];

/** `canFocus`: whether there are details that can take the keys. */
export function useDetails(canFocus = true): Details {
  const [offset, setOffset] = useKept('details offset', 0);
  const [isFocused, setIsFocused] = useKept('details focus', false);
  return {
    offset,
    onOffset: setOffset,
    isFocused: isFocused && canFocus,
    toggle: () => setIsFocused(!isFocused),
    rewind: () => setOffset(0),
  };
}
