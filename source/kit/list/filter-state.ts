import { type TextFieldState, toTextField } from '../field/text-field-state.ts';

/** The text that narrows a list, and whether it is being typed. */
export interface FilterState {
  readonly field: TextFieldState;
  readonly isOpen: boolean;
}

export const noFilter: FilterState = { field: toTextField(''), isOpen: false };

export type FilterEvent =
  | { readonly kind: 'open' }
  | { readonly kind: 'type'; readonly field: TextFieldState }
  /** Goes back to the list and leaves it narrowed. */
  | { readonly kind: 'keep' }
  | { readonly kind: 'clear' };

export function toNextFilter(state: FilterState, event: FilterEvent): FilterState {
  switch (event.kind) {
    case 'open':
      return { ...state, isOpen: true };
    case 'type':
      return { ...state, field: event.field };
    case 'keep':
      return { ...state, isOpen: false };
    case 'clear':
      return noFilter;
  }
}

/** Whether there is a line to draw: while it is typed, and as long as it hides something. */
export function isFilterShown({ field, isOpen }: FilterState): boolean {
  return isOpen || field.text !== '';
}
